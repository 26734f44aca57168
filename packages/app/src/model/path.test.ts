import { expect, test } from 'vitest'
import { below, isNested, lastName, pathBefore, pathOf, pathParts, rowNames } from './path.ts'

test('dots inside a function do not separate names', () => {
  expect(pathParts('customer.region.name')).toEqual(['customer', 'region', 'name'])
  expect(pathParts('order.json(details.size)')).toEqual(['order', 'json(details.size)'])
})

test('names with a dot, comma or parenthesis are steps of their own', () => {
  for (const name of ['a.b', 'c,d', 'e:f', 'g(h)', 'count(i)', '*']) {
    expect(pathParts(pathOf('customer', name))).toEqual(['customer', name])
    expect(rowNames(pathOf(name))).toEqual([name])
    expect([isNested(pathOf(name)), lastName(pathOf(name)), pathBefore(pathOf(name))]).toEqual([false, name, ''])
  }
  expect(below('a.b', 'c.d')).toBe(String.raw`a\.b.c.d`)
})

test('functions have a name of their own in rows', () => {
  expect(rowNames('count(lines)')).toEqual(['lines_count'])
  expect(rowNames('customer.count(lines)')).toEqual(['customer', 'lines_count'])
})
