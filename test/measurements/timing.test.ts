import { expect, test } from 'vitest'
import { describeFigure, isMet } from './service.ts'
import { timing } from './timing.ts'

// Detects work done for one side only, such as checking a password only if the account exists.
test('the time of an answer does not tell whether there is an account', { timeout: 120_000 }, async () => {
  const figures = await timing({ pairs: 40, bound: 2, share: 0.35 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})
