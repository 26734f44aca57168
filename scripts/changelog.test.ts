import { describe, expect, test } from 'vitest'
import { nextVersion, notesOf, unreleased, withRelease } from './changelog.ts'

const text = `# Changelog

## [Unreleased]

### Added

- A thing.

## [0.1.0] - 2026-01-02

- The first one.
`

describe('a release', () => {
  const released = withRelease(text, '0.2.0', '2026-02-03')

  test('has the entries that were unreleased', () => {
    expect(notesOf(released, '0.2.0')).toBe('### Added\n\n- A thing.')
    expect(released).toContain('## [0.2.0] - 2026-02-03\n')
  })

  test('leaves an empty section for the next ones, and older sections as they were', () => {
    expect(unreleased(released)).toBe('')
    expect(notesOf(released, '0.1.0')).toBe('- The first one.')
  })

  test('needs entries, and a version that is new', () => {
    expect(() => withRelease(released, '0.3.0', '2026-03-04')).toThrow('no entries')
    expect(() => withRelease(text, '0.1.0', '2026-03-04')).toThrow('already')
  })
})

test('a version that was never released has no notes', () => {
  expect(notesOf(text, '9.9.9')).toBeNull()
})

test.each([
  ['patch', '1.2.4'],
  ['minor', '1.3.0'],
  ['major', '2.0.0'],
  ['1.9.0', '1.9.0'],
])('%s after 1.2.3 is %s', (wanted, expected) => {
  expect(nextVersion('1.2.3', wanted)).toBe(expected)
})

test.each(['', 'big', '1.2', 'v1.2.3'])('"%s" is no version', (wanted) => {
  expect(() => nextVersion('1.2.3', wanted)).toThrow('nor a version')
})
