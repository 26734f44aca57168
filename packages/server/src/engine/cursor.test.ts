import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { library } from '../testing/schema.ts'
import { bindQuery } from '../query/bind.ts'
import { parseQuery } from '../query/parse-query.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { startPlan } from './plan-filter.ts'
import { afterCursor, cursorIndex, readCursor, writeCursor, type Cursor } from './cursor.ts'

const sort = '["articles",[["-price"]]]'
const forward = (...values: Cursor['values']): Cursor => ({ values, isBackward: false })
const refusal = 'The cursor is damaged or was made for another sort'

describe('the text of a cursor', () => {
  test('gives back the values it was made of', () => {
    const anyCursor = fc.record({
      values: fc.array(fc.option(fc.string({ unit: 'grapheme' }))),
      isBackward: fc.boolean(),
    })
    const comesBack = fc.property(
      anyCursor,
      (cursor) => JSON.stringify(readCursor(writeCursor(sort, cursor), sort)) === JSON.stringify(cursor),
    )
    expect(fc.check(comesBack).counterexample).toBeNull()
  })

  test('can stand in an address as it is', () => {
    expect(writeCursor(sort, forward('ü?&/+', null))).toMatch(/^[\w-]+$/u)
  })

  test('fits only the order it was made for', () => {
    expect(() => readCursor(writeCursor(sort, forward('1')), '["articles",[["price"]]]')).toThrow(refusal)
    expect(() => readCursor(writeCursor(sort, forward('1')), '["comments",[["-price"]]]')).toThrow(refusal)
  })

  test('has one direction', () => {
    const [digest, values] = JSON.parse(
      Buffer.from(writeCursor(sort, forward('1')), 'base64url').toString(),
    ) as unknown[]
    for (const direction of ['backward', 'forward', null])
      expect(() =>
        readCursor(Buffer.from(JSON.stringify([digest, values, direction])).toString('base64url'), sort),
      ).toThrow(refusal)
  })

  test('is refused when a character of it has changed', () => {
    const text = writeCursor(sort, forward('2024-01-01', null, '7'))
    const bytesOf = (cursor: string) => Buffer.from(cursor, 'base64url')
    const isRefused = (cursor: string) => {
      try {
        return readCursor(cursor, sort).values.length < 0
      } catch {
        return true
      }
    }
    const place = fc.tuple(fc.nat(text.length - 1), fc.constantFrom('A', 'z', '0', '_'))
    const isNoticed = fc.property(place, ([at, character]) => {
      const damaged = text.slice(0, at) + character + text.slice(at + 1)
      return bytesOf(damaged).equals(bytesOf(text)) || isRefused(damaged)
    })
    expect(fc.check(isNoticed).counterexample).toBeNull()
  })

  test.each([
    '',
    'x',
    'null',
    '{}',
    '[]',
    '["a"]',
    '["a","b"]',
    '["a",[1]]',
    '["a",[{}]]',
    '["a",["x"]]',
    '["a",["x"],"backward"]',
  ])('is refused when it holds %j', (content) => {
    expect(() => readCursor(Buffer.from(content).toString('base64url'), sort)).toThrow(refusal)
    expect(() => readCursor(content, sort)).toThrow(refusal)
  })
})

describe('the rows after a cursor', () => {
  const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

  function after(order: string, nulls: readonly boolean[], isBackward = false) {
    const { query } = parseQuery({ sort: order }, limits)
    const bound = bindQuery(query, 'articles', library, 100)
    const { text, binds } = postgres.compile(afterCursor(bound.sort, { nulls, isBackward }, 't', startPlan(postgres)))
    const parameters = binds.map((bind) =>
      typeof bind === 'object' && bind !== null && 'parameter' in bind ? Number(bind.parameter) : 0,
    )
    return { text: text.replaceAll('"', ''), values: parameters.map(cursorIndex) }
  }

  test('a key alone is one comparison', () => {
    expect(after('id', [false])).toEqual({ text: 't.id > $1::int4', values: [0] })
    expect(after('-id', [false])).toEqual({ text: 't.id < $1::int4', values: [0] })
  })

  test('null is the largest value: last ascending, first descending', () => {
    expect(after('views', [false, false]).text).toBe(
      '((t.views > $1::int8 or t.views is null) or (t.views = $2::int8 and t.id > $3::int4))',
    )
    expect(after('views', [true, false]).text).toBe('(false or (t.views is null and t.id > $1::int4))')
    expect(after('-views', [true, false]).text).toBe('(t.views is not null or (t.views is null and t.id > $1::int4))')
  })

  test('a column that bounds the rows is compared first, where an index can use it', () => {
    expect(after('-views', [false, false])).toEqual({
      text: '(t.views <= $1::int8 and (t.views < $2::int8 or (t.views = $3::int8 and t.id > $4::int4)))',
      values: [0, 0, 0, 1],
    })
  })

  test('backwards, every comparison is the opposite one', () => {
    expect(after('id', [false], true).text).toBe('t.id < $1::int4')
    expect(after('views', [false, false], true).text).toBe(
      '(t.views <= $1::int8 and (t.views < $2::int8 or (t.views = $3::int8 and t.id < $4::int4)))',
    )
    expect(after('-views', [true, false], true).text).toBe('(false or (t.views is null and t.id < $1::int4))')
  })

  test('what functions and JSON paths give is compared as numbers and documents', () => {
    expect(after('year(published)', [false, false]).text).toContain('> $1::numeric')
    expect(after('json(document, a)', [false, false]).text).toContain('::jsonb')
  })
})
