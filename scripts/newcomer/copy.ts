import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { top } from '../../test/lib/throwaway.ts'
import { applied, type Edit } from './change.ts'

const copied = [
  'packages',
  'test',
  'scripts',
  'docs',
  'site/.vitepress/sidebar.ts',
  'package.json',
  'layers.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.config.ts',
  '.oxfmtrc.json',
]

/** A copy of the repository in a temporary directory. */
export interface Copy {
  readonly folder: string
  /** A module of the copy. */
  readonly load: <Module>(path: string) => Promise<Module>
}

export function createCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'tain-newcomer-'))
  for (const name of copied)
    cpSync(join(top, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|\.cache)(\/|$)/u.test(path.slice(top.length)),
    })
  linkPackages(folder)
  return { folder, load: async <Module>(path: string) => (await import(join(folder, path))) as Module }
}

/** Links to the installed packages, except for the workspace's own: they are in the copy. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@tain'), { recursive: true })
  for (const name of readdirSync(join(top, 'node_modules')))
    if (!name.startsWith('.') && name !== '@tain' && name !== 'tain')
      symlinkSync(join(top, 'node_modules', name), join(packages, name))
  for (const name of ['contract', 'graphiql', 'sdk'])
    symlinkSync(join(folder, 'packages', name), join(packages, '@tain', name))
}

export const removeCopy = ({ folder }: Copy): void => rmSync(folder, { recursive: true, force: true })

export function edit({ folder }: Copy, changed: Edit): void {
  const path = join(folder, changed.file)
  writeFileSync(path, applied(existsSync(path) ? readFileSync(path, 'utf8') : null, changed))
}

/** The files in which the compiler finds an error, with the first message of each. */
export function compile({ folder }: Copy): ReadonlyMap<string, string> {
  const { stdout, status } = run(folder, 'node_modules/.bin/tsc', ['-p', folder])
  const messages = stdout.split(/\n(?=\S)/u).flatMap((message) => {
    const [, file, text] = /^([^(\s]+)\(\d+,\d+\): (.*)/su.exec(message) ?? []
    return file === undefined || text === undefined ? [] : [[file, text.trim()] as const]
  })
  if (status !== 0 && messages.length === 0) throw new Error(`the compiler failed: ${stdout}`)
  return new Map(messages.toReversed())
}

const tests = ['packages/contract/src', 'packages/server/src/config.test.ts']

/** The checks besides the compiler that a change has to pass: format, layers, and the tests of the tables. */
export function check({ folder }: Copy, files: readonly string[]): void {
  const commands: readonly (readonly [string, ...string[]])[] = [
    ['node_modules/.bin/oxfmt', '--check', ...files],
    [process.execPath, 'scripts/check-layers.ts'],
    [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...tests],
  ]
  for (const [command, ...args] of commands) {
    const { stdout, stderr, status } = run(folder, command, args)
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

export function linesAdded({ folder }: Copy, files: readonly string[]): number {
  const counts = files.map((file) => {
    const old = existsSync(join(top, file)) ? file : '/dev/null'
    const { stdout } = run(top, 'git', ['diff', '--no-index', '--numstat', old, join(folder, file)])
    return Number(/^(\d+)\t/u.exec(stdout)?.[1] ?? 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

function run(cwd: string, command: string, args: readonly string[]) {
  const program = command.startsWith('node_modules/') ? join(top, command) : command
  const result = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (result.error !== undefined) throw result.error
  return result
}
