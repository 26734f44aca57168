import { describe, expect, it } from 'vitest'
import { parseTsv, tiled, toHtml, toTsv } from './clipboard.ts'

describe('cells on the clipboard', () => {
  it('come back as they were', () => {
    const cells = [
      ['a', 'two\nlines', 'a "quote"'],
      ['', 'tab\there', '1.50'],
    ]
    expect(parseTsv(toTsv(cells))).toEqual(cells)
  })
  it('are read with the line ends of every system, without a row after the last', () => {
    expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })
  it('keep a quote that opens nothing', () => {
    expect(parseTsv('5" pipe\tx')).toEqual([['5" pipe', 'x']])
    expect(parseTsv('"half\tx')).toEqual([['"half', 'x']])
  })
  it('carry the exact value beside the words, and no markup', () => {
    expect(toHtml([['<b>Ada</b>']], [['7']])).toBe(
      '<table><tr><td data-value="7">&lt;b&gt;Ada&lt;/b&gt;</td></tr></table>',
    )
  })
  it('repeat over a place that they fill evenly, and only then', () => {
    expect(tiled([['x']], 2, 2)).toEqual([
      ['x', 'x'],
      ['x', 'x'],
    ])
    expect(tiled([['x'], ['y']], 3, 1)).toEqual([['x'], ['y']])
  })
})
