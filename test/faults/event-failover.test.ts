import { expect, test } from 'vitest'
import { describeFigure, isMet, type Figure } from '../measurements/service.ts'
import { onPatroni } from './event-failover.ts'

const missed = (figures: readonly Figure[]) => figures.filter((figure) => !isMet(figure)).map(describeFigure)

test('who listens misses nothing when the primary dies and when it hands over', async () => {
  expect(missed(await onPatroni(1))).toEqual([])
}, 300_000)
