import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxOf } from './unit-sandbox.ts'

const unit = readFileSync(join(import.meta.dirname, '../../deploy/systemd/tain.service'), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd accepts the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tain-unit-'))
  try {
    const file = join(folder, 'tain.service')
    // Node is elsewhere on this machine, and it has no such services to come after.
    writeFileSync(file, unit.replaceAll('/usr/bin/node', process.execPath))
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('tain.service'))).toEqual([])
    expect(status).toBe(0)
    writeFileSync(file, unit.replaceAll('/usr/bin/node', '/nowhere/node'))
    expect(spawnSync('systemd-analyze', ['verify', '--man=no', file]).status).not.toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the unit keeps files in its state directory, and the program that tries it knows all of its restrictions', () => {
  const machine = { stateFolder: '/state', environmentFile: '/env', mostFiles: 1024, systemCalls: () => ['read'] }
  const { options, command, stateMode } = sandboxOf(unit, machine)
  expect(options).toContain('STORAGE_LOCAL_ROOT=/var/lib/tain/uploads')
  expect(options).toContain('/state:/var/lib/tain')
  expect(stateMode).toBe(0o700)
  expect(command.at(-1)).toBe('start')
  expect(() => sandboxOf(unit.replace('[Install]', 'PrivateUsers=yes\n[Install]'), machine)).toThrow('PrivateUsers')
})

test('the unit starts the service as the package has it', () => {
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node \/opt\/tain\/node_modules\/tain\/bin\/tain\.js start$/mu)
  expect(unit).toMatch(/^Restart=on-failure$/mu)
})
