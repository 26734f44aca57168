import { expect, test } from 'vitest'
import { matches, candidate } from '../../packages/app/src/palette/match.ts'

test('5,000 names are searched within 30 ms of work', () => {
  const parts = ['order', 'customer', 'invoice', 'stock', 'supplier', 'payment', 'region', 'audit', 'ticket', 'price']
  const names = Array.from({ length: 5000 }, (_, index) => {
    const words = [parts[index % 10], parts[Math.floor(index / 10) % 10], parts[Math.floor(index / 100) % 10], index]
    return words.join('_')
  })
  const candidates = names.map((name) => candidate(name, [name, name.replaceAll('_', ' ')]))
  const queries = ['o', 'ord', 'order line', 'odln', 'stock price 49', 'zzz']
  for (const query of queries) matches(query, candidates, 50)
  // Work and not time: others may be busy on the same machine.
  const began = process.cpuUsage()
  for (let round = 0; round < 5; round += 1) for (const query of queries) matches(query, candidates, 50)
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000 / (5 * queries.length)).toBeLessThan(30)
})
