import { describe, expect, test } from 'vitest'
import { archivePart, archivePaths, foldersBelow } from './archive-names.ts'

const at = (name: string, ...folders: string[]) => ({ name, folders })

describe('names inside an archive', () => {
  test.each([
    ['a/b', 'a_b'],
    ['..\\..\\boot.ini', '.._.._boot.ini'],
    ['..', '_'],
    ['.', '_'],
    ['', '_'],
    [' \u202Egpj.exe ', '_gpj.exe'],
    ['c:run', 'c_run'],
    ['C\u0000D', 'C_D'],
    ['.htaccess', '.htaccess'],
    ['Übersicht 報告.pdf', 'Übersicht 報告.pdf'],
  ])('%j is %j', (given, part) => expect(archivePart(given)).toBe(part))

  test('long ones are cut', () => expect(archivePart('😀'.repeat(300))).toBe('😀'.repeat(255)))

  test('equal names are numbered, where capital letters do not count too', () => {
    const names = ['same.txt', 'same.txt', 'SAME.txt', 'same (2).txt', '.env', '.env', 'none', 'none']
    expect(archivePaths(names.map((name) => at(name)))).toEqual([
      'same.txt',
      'same (2).txt',
      'SAME (3).txt',
      'same (2) (2).txt',
      '.env',
      '.env (2)',
      'none',
      'none (2)',
    ])
  })

  test('folders are paths, and each has names of its own', () => {
    const files = [at('a.txt'), at('a.txt', 'Below'), at('a.txt', 'Below', '../up'), at('a.txt', 'below')]
    expect(archivePaths(files)).toEqual(['a.txt', 'Below/a.txt', 'Below/.._up/a.txt', 'below/a (2).txt'])
  })

  test('a path that is too long for the format is left out', () => {
    const deep = Array.from({ length: 100 }, () => 'x'.repeat(255))
    expect(archivePaths([at('a.txt', ...deep)])).toEqual(['a.txt'])
  })
})

test('folders below one, by the names that lead to them', () => {
  const rows = [
    { id: '1', name: 'top', parent: null },
    { id: '2', name: 'left', parent: '1' },
    { id: '3', name: 'deep', parent: '2' },
    { id: '4', name: 'beside', parent: null },
    { id: '5', name: 'round', parent: '6' },
    { id: '6', name: 'circle', parent: '5' },
  ]
  expect([...foldersBelow('1', rows)]).toEqual([
    ['1', []],
    ['2', ['left']],
    ['3', ['left', 'deep']],
  ])
  expect([...foldersBelow('5', rows)]).toEqual([
    ['5', []],
    ['6', ['circle']],
  ])
})
