import { expect, test } from 'vitest'
import { graphqlScale } from './graphql-scale.ts'
import { describeFigure, isMet } from './service.ts'

test('many tables and kinds of callers cost neither time nor memory', { timeout: 120_000 }, async () => {
  const figures = await graphqlScale({ tables: 400, callers: 5, granted: 40 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})
