import { describe, expect, it } from 'vitest'
import { commandOf } from './keys.ts'
import { at, HEADER, moved, rectangleOf } from './rectangle.ts'
import { isChecked, noSelection, withChecked } from './selection.ts'

const bounds = { rows: 10, columns: 4 }
const pressed = (chord: string) => {
  const parts = chord.split('+')
  const has = (name: string) => parts.includes(name)
  const key = parts.at(-1) ?? ''
  return {
    key: key === 'Space' ? ' ' : key,
    ctrlKey: has('Ctrl'),
    metaKey: has('Meta'),
    altKey: has('Alt'),
    shiftKey: has('Shift'),
  }
}

describe('the active cell', () => {
  it('stays in the sheet', () => {
    expect(moved(at(9, 3), { rows: 1, columns: 1 }, bounds, false)).toEqual(at(9, 3))
    expect(moved(at(5, 2), { rows: Infinity, columns: -Infinity }, bounds, false)).toEqual(at(9, 0))
  })
  it('goes from the first row to the names of the columns, one step only', () => {
    expect(moved(at(0, 1), { rows: -1, columns: 0 }, bounds, false)).toEqual(at(HEADER, 1))
    expect(moved(at(3, 1), { rows: -Infinity, columns: 0 }, bounds, false)).toEqual(at(0, 1))
    expect(moved(at(HEADER, 1), { rows: 1, columns: 0 }, bounds, false)).toEqual(at(0, 1))
  })
  it('leaves its anchor behind when it extends', () => {
    const range = moved(at(5, 2), { rows: -3, columns: 1 }, bounds, true)
    expect(rectangleOf(range)).toEqual({ top: 2, bottom: 5, left: 2, right: 3 })
  })
})

describe('keys', () => {
  it('move and extend', () => {
    expect(commandOf(pressed('Shift+ArrowDown'))).toEqual({ name: 'move', rows: 1, columns: 0, isExtending: true })
    expect(commandOf(pressed('Meta+ArrowRight'))).toEqual({
      name: 'move',
      rows: 0,
      columns: Infinity,
      isExtending: false,
    })
  })
  it('go with the eye where writing runs from right to left', () => {
    expect(commandOf(pressed('ArrowLeft'), true)).toMatchObject({ columns: 1 })
  })
  it('begin an edit only without Ctrl, Cmd or Alt', () => {
    expect(commandOf(pressed('a'))).toEqual({ name: 'type', text: 'a' })
    for (const chord of ['Ctrl+2', 'Meta+2', 'Alt+a', 'Ctrl+b', 'Ctrl+Alt+a', 'Ctrl+Shift+d', 'Ctrl+c', 'Ctrl+v'])
      expect(commandOf(pressed(chord))).toBeNull()
  })
  it('do what they are listed for', () => {
    expect(commandOf(pressed('Ctrl+A'))).toEqual({ name: 'all' })
    expect(commandOf(pressed('Shift+Space'))).toEqual({ name: 'row' })
    expect(commandOf(pressed('Ctrl+Space'))).toEqual({ name: 'column' })
    expect(commandOf(pressed('Ctrl+Shift+Z'))).toEqual({ name: 'redo' })
    expect(commandOf(pressed('Tab'))).toBeNull()
  })
})

describe('checked rows', () => {
  it('are checked and let go by their keys', () => {
    const two = withChecked(noSelection, ['1', '2'], true, [])
    expect(isChecked(two, '2')).toBe(true)
    expect(isChecked(withChecked(two, ['2'], false, []), '2')).toBe(false)
    expect(isChecked(two, null)).toBe(false)
  })
  it('stop being all when one is let go: what is loaded stays', () => {
    const all = { isAll: true, keys: new Set<string>() }
    const fewer = withChecked(all, ['2'], false, ['1', '2', '3'])
    expect(fewer).toEqual({ isAll: false, keys: new Set(['1', '3']) })
  })
})
