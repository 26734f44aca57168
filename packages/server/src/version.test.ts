import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { neededNode, version } from './version.ts'

const packages = ['', 'packages/contract/', 'packages/graphiql/', 'packages/server/', 'test/']

test.each(packages)('%spackage.json carries the version of the program', (folder) => {
  const text = readFileSync(new URL(`../../../${folder}package.json`, import.meta.url), 'utf8')
  const found = JSON.parse(text) as { version: string; dependencies?: Record<string, string> }
  expect(found.version).toBe(version)
  for (const own of ['@tain/contract', '@tain/graphiql', 'tain'])
    expect(found.dependencies?.[own] ?? version).toBe(version)
})

test('package.json demands the Node.js that the program names', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(text) as { engines: { node: string } }).engines.node).toBe(`>=${neededNode}`)
})
