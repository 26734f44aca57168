import { describe, expect, test } from 'vitest'
import { codeOf, newSecret, otpauthUrl, stepOf } from './totp.ts'

/** "12345678901234567890" of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i seconds is the RFC’s', (seconds, code) => {
  expect(codeOf(SECRET, Math.floor(seconds / 30))).toBe(code)
  expect(stepOf(code, SECRET, null, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

describe('a code', () => {
  const now = 1_700_000_010_000
  const step = Math.floor(now / 30_000)
  const at = (offset: number) => stepOf(codeOf(SECRET, step + offset), SECRET, null, now)

  test('counts in its own step and in the next, no longer and no earlier', () => {
    expect([at(-2), at(-1), at(0), at(1)]).toEqual([null, step - 1, step, null])
  })

  test('counts only after the last that was used', () => {
    const code = codeOf(SECRET, step)
    expect([step - 1, step, step + 1].map((last) => stepOf(code, SECRET, last, now))).toEqual([step, null, null])
  })

  test.each(['', '12345', '1234567', '12345a', ' 12345', '１２３４５６'])('"%s" is none', (code) => {
    expect(stepOf(code, SECRET, null, now)).toBeNull()
  })
})

describe('a secret', () => {
  test('has 160 bits and is another each time', () => {
    expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/u)
    expect(newSecret()).not.toBe(newSecret())
  })

  test('is told to an app with who and what it is for', () => {
    const url = new URL(otpauthUrl(SECRET, 'My: project', 'a@example.com'))
    expect([url.protocol, url.searchParams.get('secret'), url.searchParams.get('period')]).toEqual([
      'otpauth:',
      SECRET,
      '30',
    ])
    expect(decodeURIComponent(url.pathname)).toContain('My  project:a@example.com')
  })
})
