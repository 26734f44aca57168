import { expect, test } from 'vitest'
import { createServer, engines } from './capabilities.ts'

const canOf = (version: string) => {
  const server = createServer()
  server.meet(version)
  return server.can
}

test.each([
  ['PostgreSQL 15.20 (Debian 15.20-0+deb12u1) on x86_64-pc-linux-gnu', 'PostgreSQL'],
  ['EnterpriseDB 16.2.0 on x86_64', 'PostgreSQL'],
  ['PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64-pc-linux-gnu', 'YugabyteDB'],
  ['CockroachDB CCL v23.2.4 (x86_64-pc-linux-gnu, built 2024/04/08)', 'CockroachDB'],
])('%s is %s', (version, name) => {
  expect(canOf(version)).toBe(engines.find((engine) => engine.name === name)?.can)
})

test('until it is met, and afterwards for good, a server is what it said first', () => {
  const server = createServer()
  expect([server.isMet, server.can.locks]).toEqual([false, 'advisory'])
  server.meet('CockroachDB CCL v23.2.4')
  server.meet('PostgreSQL 15.20')
  expect([server.isMet, server.can.locks]).toEqual([true, 'lease'])
})

test('only PostgreSQL itself is said to be tested', () => {
  expect(engines.filter(({ isTested }) => isTested).map(({ name }) => name)).toEqual(['PostgreSQL'])
})
