import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KindName } from './kinds.ts'
import { mistakesIn, pickMistakes, withMistake } from './mistakes.ts'
import { nodesOf } from './syntax.ts'

const top = join(import.meta.dirname, '../..')

const made = (source: string, kind: KindName) =>
  mistakesIn('a.ts', source)
    .filter((mistake) => mistake.kind === kind)
    .map((mistake) => withMistake(source, mistake))

test.each<[KindName, string, string[]]>([
  ['operator', 'const a = b === c', ['const a = b !== c']],
  ['operator', 'const a = b < c && d', ['const a = b < c || d', 'const a = b <= c && d']],
  ['operator', 'const a = b ?? c', []],
  ['condition', 'if (a) b()', ['if (!(a)) b()']],
  ['condition', 'const a = b > 1 ? c : d', ['const a = !(b > 1) ? c : d']],
  ['returned constant', 'const f = (a: A): B => g(a)', ['const f = (a: A): B => undefined']],
  ['returned constant', 'function f() { return a === b }', ['function f() { return true }']],
  ['returned constant', 'function f() { return [a] }', ['function f() { return [] }']],
  ['deleted statement', 'await a(); const b = c()', ['; const b = c()']],
  ['swapped arguments', 'a(b, c, ...d)', ['a(c, b, ...d)']],
  ['swapped arguments', 'a(b, b)', []],
  ['literal', 'const a: 1 = true', ['const a: 1 = false']],
  ['literal', "import a from 'b' with { c: 'd' }", []],
])('%s in %j', (kind, source, expected) => {
  expect(made(source, kind)).toEqual(expected)
})

test('names the line, as it was and as it is', () => {
  const mistake = mistakesIn('a.ts', "const é = '𝄞'\n  const a = b >= c\n").find(({ kind }) => kind === 'operator')
  expect(mistake).toMatchObject({ file: 'a.ts', line: 2, was: 'const a = b >= c', is: 'const a = b > c' })
})

test('leaves what takes more than a line', () => {
  expect(made('a(\n  b,\n  c,\n)', 'swapped arguments')).toEqual([])
})

describe.each([
  ['server', 24],
  ['app', 12],
] as const)('mistakes of the %s', (part, count) => {
  const picked = pickMistakes(part, top, count, 1)

  test('are the same for a seed, of each kind, and one per file', () => {
    expect(picked).toHaveLength(count)
    expect(pickMistakes(part, top, count, 1)).toEqual(picked)
    expect(Object.values(Object.groupBy(picked, ({ kind }) => kind)).map((list) => list.length)).toEqual(
      Array(6).fill(count / 6),
    )
    expect(new Set(picked.map(({ file }) => file)).size).toBe(count)
  })

  test('are still programs', () => {
    for (const mistake of picked) {
      const source = readFileSync(join(top, mistake.file), 'utf8')
      expect(() => nodesOf(withMistake(source, mistake), mistake.file.endsWith('x'))).not.toThrow()
    }
  })
})
