import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { argumentsOf, parts, program } from '../test/programs/program.ts'
import { programs, programsOf } from '../test/programs.ts'
import { optionsFrom } from './program-options.ts'

const top = join(import.meta.dirname, '..')

/** Lines of the repository that match, without the suite, which is not ours to change. */
const linesWith = (pattern: string) =>
  execFileSync('git', ['grep', '-hE', pattern, '--', '.', ':!test/acceptance', ':!scripts/**/*.test.ts'], {
    cwd: top,
    encoding: 'utf8',
  })

describe('the table of programs', () => {
  test('has every name once', () => {
    expect(Object.keys(programs)).toHaveLength(Object.values(programsOf).flatMap(Object.keys).length)
  })

  test('has a file of tests for each part with programs of the gate', () => {
    const tested = Object.entries(programsOf).filter(([, part]) =>
      Object.values(part).some(({ gate, command }) => gate !== undefined && command === undefined),
    )
    expect(tested.length).toBeGreaterThan(1)
    expect(tested.filter(([part]) => !existsSync(join(top, `test/programs/${part}.test.ts`)))).toEqual([])
  })

  test('has every program that a page, a comment or a script names', () => {
    const names = [...linesWith('npm run verify [a-z]').matchAll(/npm run verify ([a-z][a-z-]*[a-z])/gu)]
    expect(names.length).toBeGreaterThan(50)
    expect(names.map(([, name = '']) => name).filter((name) => !(name in programs))).toEqual([])
  })
})

test('the workflow of the night runs all parts', () => {
  const workflow = readFileSync(join(top, '.github/workflows/night.yml'), 'utf8')
  expect(workflow).toContain(`part: [${parts.join(', ')}]`)
})

describe('options of a program', () => {
  const reads = program({
    proves: '',
    options: { cases: 100, dialect: 'postgres', perSchema: 5, isQuick: false, shrink: true, seed: null, only: null },
    dialects: ['postgres', 'sqlite'],
    run: async () => ({ failures: [] }),
  })

  test('are those of the full size unless they are given', () => {
    expect(optionsFrom([], reads)).toEqual(reads.options)
    expect(optionsFrom(['--no-shrink'], reads)).toEqual({ ...reads.options, shrink: false })
    const args = [
      '--cases',
      '7',
      '--per-schema=2',
      '--is-quick',
      '--seed',
      '12',
      '--only',
      'a,b',
      '--dialect',
      'sqlite',
    ]
    expect(optionsFrom(args, reads)).toEqual({
      cases: 7,
      dialect: 'sqlite',
      perSchema: 2,
      isQuick: true,
      shrink: true,
      seed: 12,
      only: 'a,b',
    })
  })

  test('are read as they are written', () => {
    const options = { ...reads.options, cases: 3, isQuick: true, shrink: false, dialect: 'sqlite', only: 'a' }
    expect(optionsFrom(argumentsOf(options), reads)).toEqual(options)
  })

  test.each([
    ['of other programs', ['--sequences', '3'], "Unknown option '--sequences'"],
    ['that are no numbers', ['--cases', 'many'], '--cases has to be a number'],
    ['of databases that the program does not know', ['--dialect', 'mysql'], 'one of postgres, sqlite'],
  ])('%s are refused', (_, args, message) => {
    expect(() => optionsFrom(args, reads)).toThrow(message)
  })
})
