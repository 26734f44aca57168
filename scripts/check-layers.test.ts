import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkIndependence, checkSources } from './check-layers.ts'
import type { Table } from './check-layers.ts'
import { importsOf, tokenize } from './source-tokens.ts'

const table = JSON.parse(readFileSync(join(import.meta.dirname, '../layers.json'), 'utf8')) as Table

function check(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.entries(files).map(([inner, text]): [string, string] => [
    inner.startsWith('contract/') ? `packages/contract/src/${inner.slice(9)}` : `packages/server/src/${inner}`,
    text,
  ])
  return checkSources(new Map(paths), table).violations.map(
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
    expect(check({ 'realtime/a.ts': `import { B } from '../schema/b.ts'` })).toEqual([
      "realtime/a.ts:1: realtime may import only types of schema: write 'import type' ('../schema/b.ts')",
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

  test('finds a cycle of values and lets a cycle of types be', () => {
    const cycle = { 'lib/a.ts': `import { b } from './b.ts'`, 'lib/b.ts': `import { c } from './c.ts'` }
    expect(check({ ...cycle, 'lib/c.ts': `import { a } from './a.ts'` })).toEqual([
      `lib/a.ts:1: import cycle: ${['a', 'b', 'c', 'a'].map((name) => `packages/server/src/lib/${name}.ts`).join(' → ')}`,
    ])
    expect(check({ ...cycle, 'lib/c.ts': `import type { A } from './a.ts'` })).toEqual([])
  })

  test('refuses a file over the line limit', () => {
    expect(check({ 'lib/a.ts': 'a\n'.repeat(500) })).toEqual([])
    expect(check({ 'lib/a.ts': 'a\n'.repeat(501) })).toEqual(['lib/a.ts:501: 501 lines, the limit is 500'])
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
    checkIndependence(new Map([['test/oracle/view.ts', source]]), table).map(({ message }) => message)

  test('imports its own kind and packages from outside', () => {
    expect(
      judged(`import { a } from './a.ts'\nimport { b } from '../property/b.ts'\nimport { Client } from 'pg'`),
    ).toEqual([])
  })

  test.each(['../../packages/server/src/access/rights.ts', '@tain/contract', '../service.ts'])(
    'does not import %s',
    (from) => {
      expect(judged(`import type { A } from '${from}'`)).toEqual([
        `'${from}' is not independent of what is judged here`,
      ])
    },
  )
})
