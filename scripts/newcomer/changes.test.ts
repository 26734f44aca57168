import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { top } from '../../test/lib/throwaway.ts'
import { after, applied, created, filesOf } from './change.ts'
import { changes } from './changes.ts'
import { differences, howToAdd } from './how-to-add.ts'

const sourceOf = (file: string) => (existsSync(join(top, file)) ? readFileSync(join(top, file), 'utf8') : null)

test.each(changes)('$what touches the files that the map lists, and its anchors exist', (change) => {
  expect(differences(howToAdd(change.what), filesOf(change), [])).toEqual([])
  const sources = new Map(filesOf(change).map((file) => [file, sourceOf(file)]))
  for (const edit of [change.row, ...change.rest]) sources.set(edit.file, applied(sources.get(edit.file) ?? null, edit))
})

test('an anchor has to occur exactly once', () => {
  expect(applied('a b', after('x.ts', 'a', '$&c'))).toBe('a$&c b')
  expect(() => applied('b b', after('x.ts', 'a', 'c'))).toThrow('x.ts contains the anchor "a" 0 times')
  expect(() => applied('b b', after('x.ts', 'b', 'c'))).toThrow('2 times')
  expect(() => applied(null, after('x.ts', 'a', 'c'))).toThrow('does not exist')
  expect(() => applied('a', created('x.ts', 'c'))).toThrow('exists')
})

test('files that only one side names are differences', () => {
  const listed = { text: '', groups: [['a.ts'], ['b', 'c']] }
  expect(differences(listed, ['a.ts', 'c/d.ts'], ['b/e.ts'])).toEqual([])
  expect(differences(listed, ['a.ts', 'd.ts'], ['e.ts'])).toEqual([
    'd.ts is touched, but not listed',
    'e.ts is named by the compiler, but not listed',
    'b or c is listed, but not touched',
  ])
})
