import { expect, test } from 'vitest'
import { collections, type SystemCollection } from './index.ts'

const declared: readonly (readonly [string, SystemCollection])[] = Object.entries(collections)

test.each(declared)('%s names columns of its own', (_, { key, sortField, uniques = [], columns }) => {
  const rowOf = Object.values(columns).flatMap((column) => column.rowOf ?? [])
  const named = [key, ...(sortField === undefined ? [] : [sortField]), ...uniques.flat(), ...rowOf]
  expect(named.filter((name) => !Object.hasOwn(columns, name))).toEqual([])
})

test.each(declared)('relations of %s lead through its columns to keys of the same type', (_, { columns }) => {
  const related = Object.entries(columns).flatMap(([name, { type, to }]) =>
    to === undefined ? [] : [{ name, type, ...to }],
  )
  const isWrong = ({ collection, type, junction }: (typeof related)[number]) => {
    const { key, columns: others }: SystemCollection = collections[collection]
    return others[key]?.type !== type || (junction !== undefined && columns[junction]?.to === undefined)
  }
  expect(related.filter(isWrong)).toEqual([])
})

test('addresses are unique', () => {
  const paths = declared.flatMap(([, { path }]) => path ?? [])
  expect(new Set(paths).size).toBe(paths.length)
})

test.each(declared)('%s is plain JSON', (_, collection) => {
  expect(JSON.parse(JSON.stringify(collection))).toEqual(collection)
})
