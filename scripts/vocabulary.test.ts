import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copySources, PATIENCE } from './copied-sources.ts'
import { top } from '../test/lib/throwaway.ts'

const SERVER = 'packages/server/src'
const CONTRACT = 'packages/contract/src'

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

let folder: string

beforeAll(() => {
  folder = copySources('vocabulary')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each error of the compiler: its file, and the whole message. */
function errors(): { readonly file: string; readonly message: string }[] {
  const { stdout } = spawnSync(join(top, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder, encoding: 'utf8' })
  return stdout
    .split(/\n(?=\S)/u)
    .filter((message) => message.trim() !== '')
    .map((message) => ({ file: message.slice(0, message.indexOf('(')), message }))
}

test(
  'a new row of a vocabulary lacks exactly the cells that the map names',
  () => {
    for (const { what, table, name, row } of additions) {
      const path = join(folder, filesToWrite(what).row)
      const source = readFileSync(path, 'utf8')
      expect([what, source.split(table).length]).toEqual([what, 2])
      writeFileSync(path, source.replace(table, `${table}\n  ${name}: ${row},`))
    }
    const found = errors()
    for (const { what, name } of additions) {
      const lacking = found.filter(({ message }) => message.includes(`Property '${name}' is missing in type`))
      expect([what, lacking.map(({ file }) => file).toSorted()]).toEqual([what, filesToWrite(what).cells])
    }
    // Every error is a missing cell: nothing else has to change.
    const names = additions.map(({ name }) => `'${name}' is missing in type`)
    expect(found.filter(({ message }) => !names.some((missing) => message.includes(missing)))).toEqual([])
  },
  PATIENCE,
)
