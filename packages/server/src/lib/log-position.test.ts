import { expect, test } from 'vitest'
import { isLogPosition, LAST_POSITION, laterOf } from './log-position.ts'

test('positions are compared as numbers, not as text', () => {
  expect(laterOf('0/A', '0/10')).toBe('0/10')
  expect(laterOf('2/0', '10/0')).toBe('10/0')
  expect(laterOf('1/0', '0/FFFFFFFF')).toBe('1/0')
  expect(laterOf('FFFFFFFE/1', LAST_POSITION)).toBe(LAST_POSITION)
})

test('no position is before every position', () => {
  expect([laterOf(null, '0/1'), laterOf('0/1', null), laterOf(null, null)]).toEqual(['0/1', '0/1', null])
})

test('only what PostgreSQL prints is a position', () => {
  const texts = ['16/B374D848', '0/0', '', '16', '16/', '/1', '16/b374d848', '123456789/0', "0/0'", '0/0\n']
  expect(texts.filter(isLogPosition)).toEqual(['16/B374D848', '0/0'])
})
