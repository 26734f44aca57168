import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hook, runArea } from './run-area.ts'
import { clients, versionOf } from './versions.ts'

test('two major versions are installed, the newest one and the one before it', () => {
  const [newest, before] = clients.map((client) => Number(versionOf(client).split('.')[0]))
  expect(newest).toBe((before ?? 0) + 1)
})

test('the suite gets the version that is asked for', () => {
  const script = "console.log(import.meta.resolve('@directus/sdk'))"
  const found = execFileSync(process.execPath, ['--import', hook, '--input-type=module', '-e', script], {
    env: { ...process.env, DIRECTUS_SDK: 'directus-sdk-25' },
    encoding: 'utf8',
  })
  expect(found).toContain('/node_modules/directus-sdk-25/')
})

// The acceptance run itself uses the newest version.
test('the unmodified @directus/sdk of the previous major version works', { timeout: 180_000 }, async () => {
  const { passed, failed, output } = await runArea('directus-sdk-25')
  expect([failed, failed === 0 ? '' : output]).toEqual([0, ''])
  expect(passed).toBeGreaterThan(20)
})
