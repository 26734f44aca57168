import { expect, test } from 'vitest'
import { graphqlLimits } from './graphql-limits.ts'
import { describeFigure, isMet } from './service.ts'
import { gateSeed } from '../property/gate.ts'

test('documents made to be expensive are refused at once, and none breaks anything', { timeout: 120_000 }, async () => {
  const figures = await graphqlLimits({ documents: 1000, seed: gateSeed() })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})
