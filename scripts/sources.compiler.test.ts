import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { top } from '../test/lib/throwaway.ts'

// The compiler takes seconds of processor time for any change, so one copy of the sources holds all cases: the new rows of
// the vocabularies, and beside each file with calls of authorize a copy without each call.

const SERVER = 'packages/server/src'
const CONTRACT = 'packages/contract/src'
const ENGINE = `${SERVER}/engine`
const CALL = /\bauthorize(?:Collection|Tree|Create|Existing|Read)\(|\.authorize\(/u

interface CompilerError {
  readonly file: string
  readonly message: string
}

interface Call {
  readonly file: string
  readonly line: number
  /** The copy of the file that lacks this line. */
  readonly copy: string
}

const linesOf = (file: string) => readFileSync(join(top, file), 'utf8').split('\n')

/** Lines of the engine that call an authorize function, without declarations and imports. */
const calls: readonly Call[] = globSync(`${ENGINE}/**/*.ts`, { cwd: top, exclude: ['**/*.test.ts'] })
  .toSorted()
  .flatMap((file) =>
    linesOf(file).flatMap((text, line) =>
      CALL.test(text) && !/^(import|export|async function|function)\b/u.test(text)
        ? [{ file, line, copy: file.replace(/\.ts$/u, `.without-${line + 1}.ts`) }]
        : [],
    ),
  )

const unchangedCopyOf = (file: string) => file.replace(/\.ts$/u, '.unchanged.ts')

const copies = new Set(calls.flatMap(({ file, copy }) => [copy, unchangedCopyOf(file)]))

interface Addition {
  /** The first column of the table in docs/architecture.md. */
  readonly what: string
  readonly table: string
  readonly name: string
  readonly row: string
}

const additions: readonly Addition[] = [
  {
    what: 'a filter operator',
    table: 'const table = {',
    name: '_added',
    row: "{ operand: 'pair', tests: 'order', negates: false, insideJson: false }",
  },
  {
    what: 'a field type',
    table: 'export const fieldTypes = {',
    name: 'addedType',
    row: "{ operators: 'any', search: null, isNumber: false, isReshaped: false }",
  },
  {
    what: 'a field function',
    table: 'export const fieldFunctions = {',
    name: 'addedFunction',
    row: '{ types: dates }',
  },
  {
    what: 'an aggregate',
    table: 'export const aggregates = {',
    name: 'addedAggregate',
    row: "{ input: 'any', result: 'text' }",
  },
]

const lacks = (name: string, { message }: CompilerError) => message.includes(`Property '${name}' is missing in type`)

const isMissingCell = (error: CompilerError) => additions.some(({ name }) => lacks(name, error))

const map = readFileSync(join(top, 'docs/architecture.md'), 'utf8')

/** The files that the map names: that of the row, and those of the cells. */
function filesToWrite(what: string): { readonly row: string; readonly cells: readonly string[] } {
  const line = map.split('\n').find((text) => text.startsWith(`| ${what} |`)) ?? ''
  // After the cells, a line may list what the compiler cannot demand.
  const [row = '', cells = ''] = line.split(';')
  return {
    row: pathsIn(row)
      .join()
      .replace(/^contract\//u, `${CONTRACT}/`),
    cells: pathsIn(cells)
      .flatMap((path) => globSync(join(SERVER, path), { cwd: top }))
      .toSorted(),
  }
}

const pathsIn = (text: string) => [...text.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path)

function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tain-compiler-'))
  for (const name of [SERVER, CONTRACT])
    cpSync(join(top, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  for (const name of ['tsconfig.base.json', 'package.json', 'packages/server/package.json'])
    cpSync(join(top, name), join(folder, name))
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: {
      // The linked package would be the original.
      paths: { '@tain/contract': [`./${CONTRACT}/index.ts`], '@tain/contract/*': [`./${CONTRACT}/*/index.ts`] },
    },
    include: ['packages/*/src/**/*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return folder
}

function writeCases(folder: string): void {
  for (const { file, line, copy } of calls) {
    const lines = linesOf(file)
    writeFileSync(join(folder, copy), lines.with(line, `// ${lines[line] ?? ''}`).join('\n'))
    writeFileSync(join(folder, unchangedCopyOf(file)), lines.join('\n'))
  }
  for (const { what, table, name, row } of additions) {
    const path = join(folder, filesToWrite(what).row)
    const source = readFileSync(path, 'utf8')
    expect([what, source.split(table).length]).toEqual([what, 2])
    writeFileSync(path, source.replace(table, `${table}\n  ${name}: ${row},`))
  }
}

/** Each error of the compiler: its file, and the whole message. */
function compile(folder: string): readonly CompilerError[] {
  const { stdout } = spawnSync(join(top, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder, encoding: 'utf8' })
  return stdout
    .split(/\n(?=\S)/u)
    .filter((message) => message.trim() !== '')
    .map((message) => ({ file: message.slice(0, message.indexOf('(')), message }))
}

let folder: string
let errors: readonly CompilerError[]

// Minutes on a machine that does much else.
beforeAll(() => {
  folder = copySources()
  writeCases(folder)
  errors = compile(folder)
}, 1_800_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the engine calls authorize before every write and every read', () => {
  const errorsOf = (copy: string) => errors.filter((error) => error.file === copy && !isMissingCell(error))

  test('it calls it in many places, and a copy of a file compiles as the file does', () => {
    expect(calls.length).toBeGreaterThan(15)
    expect(calls.flatMap(({ file }) => errorsOf(unchangedCopyOf(file)))).toEqual([])
  })

  test.each(calls.map((call) => [`${call.file}:${call.line + 1}`, call] as const))(
    'the project does not compile without %s',
    (_, { copy }) => {
      expect(errorsOf(copy)).not.toEqual([])
    },
  )
})

describe('a new row of a vocabulary', () => {
  const errorsOfSources = () => errors.filter(({ file }) => !copies.has(file))

  test.each(additions)('$what lacks exactly the cells that the map names', ({ what, name }) => {
    const lacking = errorsOfSources().filter((error) => lacks(name, error))
    expect(lacking.map(({ file }) => file).toSorted()).toEqual(filesToWrite(what).cells)
  })

  test('every error is a missing cell: nothing else has to change', () => {
    expect(errorsOfSources().filter((error) => !isMissingCell(error))).toEqual([])
  })
})
