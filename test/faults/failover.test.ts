import { expect, test } from 'vitest'
import { describeFigure, isMet } from '../measurements/service.ts'
import { failover } from './failover.ts'

test('no row is lost or written twice while the primary dies and while it hands over', async () => {
  const figures = await failover({
    rounds: { 'kill-server': 1, switchover: 1 },
    by: ['several hosts'],
    etcdMembers: 1,
    etcdPause: 0,
  })
  // npm run verify failover has the bounds of times; here the machine may be busy.
  const counts = figures.filter(({ unit }) => unit === '')
  expect(counts).toHaveLength(6)
  expect(counts.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
}, 300_000)
