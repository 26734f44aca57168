import { expect, test } from 'vitest'
import { optionName, optionsHelp } from './arguments.ts'

test('settings go by their names in small letters', () => {
  expect(optionName('DATABASE_URL')).toBe('--database-url')
})

test('help says the purpose of a setting and its default', () => {
  expect(optionsHelp([{ name: 'PORT', fallback: 8055, what: 'port to listen on' }])).toMatch(
    /^ {2}--port +port to listen on \(8055\)$/u,
  )
})
