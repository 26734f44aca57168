import { exportFormats, isExportFormat, type ExportFormat } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import type { Cell } from '../../engine/serialize.ts'
import { writersOf } from './formats.ts'

type Row = readonly (string | null)[]

const text = (index: number, ...keys: readonly string[]): Cell => ({ keys, index, write: JSON.stringify, below: null })
const json = (index: number, ...keys: readonly string[]): Cell => ({ keys, index, write: String, below: null })

function written(format: ExportFormat, cells: readonly Cell[], rows: readonly Row[]): string {
  const { open, row, close } = writersOf(format, cells)
  return open + rows.map(row).join('') + close
}

test.each(Object.keys(exportFormats).filter(isExportFormat))('%s has a writer', (format) => {
  expect(written(format, [text(0, 'a')], [['x']])).toContain('x')
})

describe('csv', () => {
  const valueOf = (value: string) =>
    written('csv', [text(0, 'a')], [[value]])
      .split('\n')
      .slice(1)
      .join('\n')
      .trimEnd()

  test('a heading, then a line per row; null is nothing', () => {
    expect(
      written(
        'csv',
        [text(0, 'a'), json(1, 'b')],
        [
          ['x', '1'],
          [null, 'null'],
        ],
      ),
    ).toBe('a,b\nx,1\n,\n')
  })

  test('csv_utf8 begins with the mark that spreadsheets look for', () => {
    expect(written('csv_utf8', [text(0, 'a')], [['x']])).toBe('\uFEFFa\nx\n')
  })

  test.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['carriage\rreturn', '"carriage\rreturn"'],
    [' space', '" space"'],
    ['plain ü', 'plain ü'],
  ])('%j is written as %j', (value, expected) => {
    expect(valueOf(value)).toBe(expected)
  })

  test.each(['=1+1', '+cmd', '-cmd', '@SUM(A1)', '=HYPERLINK("x")', '\t=1'])('%j cannot become a formula', (value) => {
    expect(valueOf(value)).toMatch(/^"?'/u)
  })

  test.each(['-1', '+1.5', '-1e-7', '-.5'])('%s is a number and stays one', (value) => {
    expect(valueOf(value)).toBe(value)
  })

  test('a heading cannot become a formula either', () => {
    expect(written('csv', [text(0, '=1+1')], [['x']])).toBe("'=1+1\nx\n")
  })

  test('an object of known shape has a column per value, whether it is there or not', () => {
    const author: Cell = { ...json(0, 'author'), below: [['name'], ['home', 'city']] }
    const rows = [
      ['{"name":"Ada","home":{"city":"=x"}}', '1'],
      [null, '2'],
      ['{"name":null,"home":null}', '3'],
    ] as const
    expect(written('csv', [author, json(1, 'id')], rows)).toBe("author.name,author.home.city,id\nAda,'=x,1\n,,2\n,,3\n")
  })

  test('lists and documents are written as JSON', () => {
    expect(written('csv', [json(0, 'a')], [['["x","y"]']])).toBe('a\n"[""x"",""y""]"\n')
  })
})

describe('json', () => {
  test('is a list, also of nothing', () => {
    const cells = [text(0, 'a'), json(1, 'b', 'c')]
    expect(
      JSON.parse(
        written('json', cells, [
          ['x', '{"d":[1]}'],
          ['y', '2'],
        ]),
      ),
    ).toEqual([
      { a: 'x', b: { c: { d: [1] } } },
      { a: 'y', b: { c: 2 } },
    ])
    expect(JSON.parse(written('json', cells, []))).toEqual([])
  })
})

describe('xml', () => {
  const itemOf = (cell: Cell, value: string | null) =>
    /<item>(.*)<\/item>/su.exec(written('xml', [cell], [[value]]))?.[1]

  test('begins with its declaration and holds an item per row', () => {
    expect(written('xml', [text(0, 'a')], [['x'], [null]])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n  <item><a>x</a></item>\n  <item><a/></item>\n</data>\n',
    )
  })

  test('what means something in XML is escaped, what cannot stand in it is replaced', () => {
    expect(itemOf(text(0, 'a'), `<b> & "c" 'd'`)).toBe('<a>&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;</a>')
    expect(itemOf(text(0, 'a'), 'x\u0001y\u001Bz\uFFFE\t\n')).toBe('<a>x\uFFFDy\uFFFDz\uFFFD\t\n</a>')
  })

  test.each([
    ['größe', 'größe'],
    ['first name', 'first_name'],
    ['1st', '_1st'],
    ['-x', '_-x'],
    ['a<b>&"', 'a_b___'],
    ['', '_'],
  ])('the key %j is the element %s', (key, name) => {
    expect(itemOf(text(0, key), 'x')).toBe(`<${name}>x</${name}>`)
  })

  test('a list repeats its element, an object nests', () => {
    expect(itemOf(json(0, 'a'), '[1,{"b":true},null]')).toBe('<a>1</a><a><b>true</b></a><a/>')
  })
})

describe('yaml', () => {
  const lineOf = (value: string) => written('yaml', [text(0, 'a')], [[value]])

  test('an entry per row, its keys below each other', () => {
    expect(
      written(
        'yaml',
        [text(0, 'a'), json(1, 'b c'), json(2, '1')],
        [
          ['x', '1', '[1, "y"]'],
          [null, 'true', '{}'],
        ],
      ),
    ).toBe('- "1": [1,"y"]\n  a: x\n  b c: 1\n- "1": {}\n  a: null\n  b c: true\n')
    expect(written('yaml', [], [[]])).toBe('- {}\n')
  })

  test.each([
    'true',
    'No',
    'null',
    'y',
    '1',
    '1.5',
    '2024-01-01',
    '- x',
    'a: b',
    '#x',
    '',
    ' x',
    'x ',
    '*a',
    '"q"',
    'ü',
    '~',
  ])('%j would mean something else, so it is quoted', (value) => {
    expect(lineOf(value)).toBe(`- a: ${JSON.stringify(value)}\n`)
  })

  test.each(['plain', 'two words', 'a/b.c-d_e'])('%j stands as it is', (value) => {
    expect(lineOf(value)).toBe(`- a: ${value}\n`)
  })
})
