import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkIndependence, checkSizes, checkSources } from './check-layers.ts'
import type { Table } from './check-layers.ts'
import { importsOf, tokenize } from './source-tokens.ts'

const table = JSON.parse(readFileSync(join(import.meta.dirname, '../layers.json'), 'utf8')) as Table

function check(files: Readonly<Record<string, string>>, by: Table = table): readonly string[] {
  const paths = Object.entries(files).map(([inner, text]): [string, string] => [
    inner.startsWith('contract/') ? `packages/contract/src/${inner.slice(9)}` : `packages/server/src/${inner}`,
    text,
  ])
  return checkSources(new Map(paths), by).violations.map(
    ({ path, line, message }) => `${path.replace('packages/server/src/', '')}:${line}: ${message}`,
  )
}

describe('reading imports', () => {
  const imports = (source: string): readonly string[] =>
    importsOf(tokenize(source)).map(({ specifier, typeOnly }) => (typeOnly ? `type ${specifier}` : specifier))

  test.each([
    [`import './a.ts'`, ['./a.ts']],
    [`import a, { b as c } from "./a.ts"`, ['./a.ts']],
    [`import * as a from './a.ts'`, ['./a.ts']],
    [`import {\n  a,\n  b,\n} from './a.ts'`, ['./a.ts']],
    [`import type { A } from './a.ts'`, ['type ./a.ts']],
    [`import { type A } from './a.ts'`, ['./a.ts']],
    [`import type from './a.ts'`, ['./a.ts']],
    [`export { a } from './a.ts'`, ['./a.ts']],
    [`export * as a from './a.ts'`, ['./a.ts']],
    [`export type * from './a.ts'`, ['type ./a.ts']],
    [`const a = await import('./a.ts')`, ['./a.ts']],
    [`type A = typeof import('./a.ts')`, ['type ./a.ts']],
    [`export { a }\nimport b from './b.ts'`, ['./b.ts']],
    [`export type A = { from: 'x' }`, []],
    [`export const from = 'x'`, []],
    [`export function a() { return Array.from('x') }`, []],
    [`const a = import.meta.dirname`, []],
    [`// import './a.ts'\n/* import './b.ts' */`, []],
    [`const a = "import './a.ts'"`, []],
    ['const a = `import ${"x" + `${b}`} from` + c', []],
    [`const a = /'/.test(b)\nimport './c.ts' // '`, ['./c.ts']],
    [`const a = b / c\nimport './d.ts' /* / */`, ['./d.ts']],
  ])('%j', (source, expected) => {
    expect(imports(source)).toEqual(expected)
  })

  test('keeps the line through comments, templates and long strings', () => {
    expect(importsOf(tokenize("/*\n*/ const a = `\n${b}\n`\nimport './c.ts'"))[0]?.line).toBe(5)
  })
})

describe('the table', () => {
  test('lets a folder import what lies below it', () => {
    expect(
      check({
        'engine/read.ts': `import { a } from '../sql/a.ts'\nimport { b } from '@tain/contract'\nimport { c } from './c.ts'`,
        'engine/c.ts': '',
        'http/items.ts': `import { read } from '../engine/read.ts'\nimport type { Actor } from '../access/actor.ts'`,
        'app.ts': `import { items } from './http/items.ts'\nimport { a } from './sql/a.ts'`,
      }),
    ).toEqual([])
  })

  test('refuses an upward import', () => {
    expect(check({ 'sql/a.ts': `\nimport { b } from '../schema/b.ts'` })).toEqual([
      "sql/a.ts:2: sql must not import schema ('../schema/b.ts')",
    ])
  })

  test('refuses a sideways import, also of a type', () => {
    expect(check({ 'http/a.ts': `import type { B } from '../graphql/b.ts'` })).toEqual([
      "http/a.ts:1: http must not import graphql ('../graphql/b.ts')",
    ])
  })

  test('refuses a value where only types are allowed', () => {
    expect(check({ 'http/a.ts': `import { B } from '../access/b.ts'` })).toEqual([
      "http/a.ts:1: http may import only types of access: write 'import type' ('../access/b.ts')",
    ])
  })

  test('keeps the contract free of packages', () => {
    expect(check({ 'contract/a.ts': `import { readFile } from 'node:fs'` })).toEqual([
      "packages/contract/src/a.ts:1: contract must not import the package 'node:fs'",
    ])
  })

  test('refuses a folder without a row, and a file outside the source folders', () => {
    expect(check({ 'helpers/a.ts': '', 'lib/a.ts': `import '../../bin/tain.js'` })).toEqual([
      "helpers/a.ts:1: 'helpers' has no row in layers.json",
      "lib/a.ts:1: '../../bin/tain.js' lies outside the source folders",
    ])
  })

  test('finds a cycle, also of types', () => {
    const cycle = { 'lib/a.ts': `import { b } from './b.ts'`, 'lib/b.ts': `import { c } from './c.ts'` }
    const found = ['a', 'b', 'c', 'a'].map((name) => `packages/server/src/lib/${name}.ts`).join(' → ')
    for (const last of [`import { a } from './a.ts'`, `import type { A } from './a.ts'`])
      expect(check({ ...cycle, 'lib/c.ts': last })).toEqual([`lib/a.ts:1: import cycle: ${found}`])
    expect(check({ ...cycle, 'lib/c.ts': '' })).toEqual([])
  })
})

describe('sizes', () => {
  const filled = (lines: number): string => 'a()\n'.repeat(lines)
  const long = (head: string, foot = '}'): string => `${head}\n${filled(59)}${foot}\n`
  const short = (head: string, foot = '}'): string => `${head}\n${filled(58)}${foot}\n`

  test('refuses a file over the line limit', () => {
    expect(check({ 'lib/a.ts': filled(400) })).toEqual([])
    expect(check({ 'lib/a.ts': filled(401) })).toEqual(['lib/a.ts:401: 401 lines, the limit is 400'])
  })

  test.each([
    ['f', 'function f() {'],
    ['f', 'export async function* f<T extends { a: B }>(a: T, { b } = { b: 1 }): AsyncGenerator<{ c: D }> {'],
    ['f', 'function f(a: unknown): a is { b: string } | (() => { c: string })[] {'],
    ['f', 'export const f = async (a: string): Promise<void> => {'],
    ['f', 'const f: F<{ a: string }> = (a) => {'],
    ['f', 'const f = <T>(a: T) => {'],
    ['f', 'const f = (a: string): A => ({', '})'],
    ['f', 'const f = (a: string) => b ?? [', ']'],
    ['f', 'const a = { f(b: string): Promise<B> {', '} }'],
    ['f', 'const a = { f: (b) => {', '} }'],
    ['f', 'class A { async f() {', '} }'],
    ['(anonymous)', 'test(`a ${b} {`, () => {', '})'],
    ['(anonymous)', 'export default function () {'],
  ])('refuses the long function %s: %s', (name, head, foot = '}') => {
    expect(check({ 'lib/a.ts': long(head, foot) })).toEqual([
      `lib/a.ts:1: the function ${name} has 61 lines, the limit is 60`,
    ])
    expect(check({ 'lib/a.ts': short(head, foot) })).toEqual([])
  })

  test('counts a function in those around it', () => {
    expect(check({ 'lib/a.ts': `function f() {\n${long('const g = () => {')}}\n` })).toEqual([
      'lib/a.ts:1: the function f has 63 lines, the limit is 60',
      'lib/a.ts:2: the function g has 61 lines, the limit is 60',
    ])
  })

  test('does not mistake other blocks for functions', () => {
    const heads = ['if (a) {', 'for await (const a of b) {', 'switch (a) {', 'class A {', 'const a = {', 'a ? b(c) : {']
    for (const head of heads) expect(check({ 'lib/a.ts': long(head) })).toEqual([])
  })

  test('ends a function without braces at the next statement', () => {
    expect(check({ 'lib/a.ts': `const f = (a) => a instanceof B\n${filled(70)}` })).toEqual([])
    expect(check({ 'lib/a.ts': `const f = (a) =>\n  a\n    .b()\nexport const c = [\n${filled(70)}]` })).toEqual([])
  })

  test('lets a listed function be long if the list says why', () => {
    const listed = (reason: string) => ({ ...table, longFunctions: { 'packages/server/src/lib/a.ts:f': reason } })
    const source = { 'lib/a.ts': long('function f() {') }
    expect(check(source, listed('a table that is read as one'))).toEqual([])
    expect(check(source, listed(''))).toHaveLength(1)
    expect(check({ 'lib/b.ts': long('function f() {') }, listed('a table that is read as one'))).toHaveLength(1)
  })

  test('are checked outside the source folders too', () => {
    const sources = new Map([['scripts/a.ts', `import '../elsewhere.ts'\n${long('function f() {')}`]])
    expect(checkSizes(sources, table).map(({ message }) => message)).toEqual([
      'the function f has 61 lines, the limit is 60',
    ])
  })
})

describe('words that may stand in one place only', () => {
  test.each([
    ['process.env', 'http/a.ts', 'const a = process.env.PORT', 'config.ts'],
    ['process.env', 'http/a.ts', `const a = process['env']`, 'config.ts'],
    ['process.env', 'http/a.ts', 'const { env } = process', 'config.ts'],
    ['process.env', 'http/a.ts', `import { env as e } from 'node:process'`, 'config.ts'],
    ['kysely', 'engine/a.ts', `import { sql } from 'kysely'`, 'sql/a.ts'],
    ['raw SQL', 'sql/a.ts', 'sql.raw(text)', 'sql/raw.ts'],
    ['raw SQL', 'engine/a.ts', 'k.raw<string>(text)', 'sql/raw.ts'],
    ['dialect name', 'schema/a.ts', `if (name === 'postgres') b()`, 'sql/dialects/a.ts'],
    ['dialect name', 'sql/a.ts', `if ('mysql' !== name) b()`, 'sql/dialects/a.ts'],
    ['dialect name', 'sql/a.ts', `switch (name) { case 'sqlite': b() }`, 'sql/dialects/a.ts'],
    ['administrator', 'engine/a.ts', `import { administrator } from '../access/actor.ts'`, 'access/a.ts'],
    ['administrator', 'http/a.ts', 'read({ ...actor, isAdmin: true })', 'access/actor.ts'],
    ['authorize', 'engine/a.ts', `import { authorize } from '../access/authorized.ts'`, 'access/a.ts'],
  ])('%s in %s: %s', (rule, wrong, source, right) => {
    expect(check({ [wrong]: source })).toEqual([expect.stringContaining(`:1: ${rule} is allowed only in `)])
    expect(check({ [right]: source })).toEqual([])
  })

  test('does not mistake other uses for them', () => {
    expect(
      check({
        'http/a.ts': 'process.on(a)\nqueue.process(b)\nreply.raw.end()\nString.raw`c`\nnew Map([["postgres", d]])',
      }),
    ).toEqual([])
  })
})

describe('words of a protocol', () => {
  test.each([`const restQuery = 1`, `type GraphQLName = string`, `import { a } from 'node:http'`, `a.http`])(
    '%s',
    (source) => {
      expect(check({ 'engine/a.ts': source })).toHaveLength(1)
      expect(check({ 'lib/a.ts': source })).toEqual([])
    },
  )

  test('may stand in comments, strings and longer words', () => {
    expect(check({ 'query/a.ts': `// as REST spells it\nconst interest = 'http'\nconst restore = 1` })).toEqual([])
  })
})

test('counts files and imports', () => {
  const sources = new Map([['packages/server/src/lib/a.ts', `import './b.ts'`]])
  expect(checkSources(sources, table)).toMatchObject({ files: 1, imports: 1, violations: [] })
})

describe('what judges the server', () => {
  const judged = (source: string): readonly string[] =>
    checkIndependence(new Map([['test/random/rights/view.ts', source]]), table).map(({ message }) => message)

  test('imports the files that are named beside the folders', () => {
    expect(judged(`import { startServer } from '../../lib/server.ts'`)).toEqual([])
  })

  test('imports its own kind and packages from outside', () => {
    expect(
      judged(`import { a } from './a.ts'\nimport { b } from '../reads/b.ts'\nimport { Client } from 'pg'`),
    ).toEqual([])
  })

  test.each(['../../../packages/server/src/access/rights.ts', '@tain/contract', '../../lib/service.ts'])(
    'does not import %s',
    (from) => {
      expect(judged(`import type { A } from '${from}'`)).toEqual([
        `'${from}' is not independent of what is judged here`,
      ])
    },
  )
})
