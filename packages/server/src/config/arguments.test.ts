import { expect, test } from 'vitest'
import { settingsIn, UnknownOption } from './arguments.ts'

const names = ['DATABASE_URL', 'PORT']

test('settings go by their names in small letters', () => {
  expect(settingsIn(['--database-url', 'sqlite:./my.db', '--port=8055'], names)).toEqual({
    DATABASE_URL: 'sqlite:./my.db',
    PORT: '8055',
  })
  expect(settingsIn([], names)).toEqual({})
})

test.each([['--databse-url', 'x'], ['start'], ['--port'], ['--port=']])('%s is refused', (...args) => {
  expect(() => settingsIn(args, names)).toThrow(UnknownOption)
})
