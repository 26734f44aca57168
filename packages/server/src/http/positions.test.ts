import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { LAST_POSITION } from '../lib/log-position.ts'
import type { Browser } from './browser.ts'
import { createPositions, POSITION_HEADER, type Positions } from './positions.ts'

const sign = (key: string) => (text: string) =>
  `${key}${text}`
    .replaceAll(/[^\w-]/gu, '_')
    .padEnd(43, '_')
    .slice(0, 43)
const positionsOf = (key: string, now = 1_000_000) => createPositions({ sign: sign(key), lagMax: 5000, now: () => now })

function begin(
  positions: Positions,
  sent: { readonly header?: string; readonly cookie?: string } = {},
): FastifyRequest {
  const request = {
    headers: sent.header === undefined ? {} : { [POSITION_HEADER]: sent.header },
    freshness: null,
  } as unknown as FastifyRequest
  const cookies = { read: () => ({ refresh: null, session: null, position: sent.cookie ?? null }) }
  request.freshness = positions.begin(request, { cookies } as unknown as Browser)
  return request
}

/** What the client of a request is told that has written at a position. */
function written(positions: Positions, position: string, user: string | null = 'ada'): string {
  const request = begin(positions)
  positions.join(request, user)
  Object.assign(request.freshness!, { position, hasWritten: true })
  return positions.tell(request)!
}

test('what a client is told after a write holds for its next read, by header and by cookie', () => {
  const [one, other] = [positionsOf('k'), positionsOf('k')]
  const [early, late] = [written(one, '0/A0'), written(one, '0/B0')]
  expect(begin(other, { header: late }).freshness).toEqual({ position: '0/B0', hasWritten: false })
  expect(begin(other, { cookie: late }).freshness?.position).toBe('0/B0')
  expect(begin(other, { header: early, cookie: late }).freshness?.position).toBe('0/B0')
})

test('a client that sends nothing is known in the process that it has written by', () => {
  const positions = positionsOf('k')
  written(positions, '0/B0', 'ada')
  written(positions, '0/A0', 'ada')
  const positionFor = (user: string | null) => {
    const request = begin(positions)
    positions.join(request, user)
    return request.freshness?.position
  }
  expect([positionFor('ada'), positionFor('bob'), positionFor(null)]).toEqual(['0/B0', null, null])
})

test('a request that has not written tells nothing', () => {
  const positions = positionsOf('k')
  expect(positions.tell(begin(positions, { header: written(positions, '0/A0') }))).toBeNull()
})

test('a position with another signature is one that no reader has reached', () => {
  const text = written(positionsOf('k'), '0/A0')
  const forged = text.replace('0-A0', '0-00')
  for (const header of [written(positionsOf('other'), '0/A0'), forged])
    expect(begin(positionsOf('k'), { header }).freshness?.position).toBe(LAST_POSITION)
})

test('a position that every reader has reached by now is of no interest', () => {
  const header = written(positionsOf('k', 1_000_000), '0/A0')
  expect(begin(positionsOf('k', 1_064_000), { header }).freshness?.position).toBe('0/A0')
  expect(begin(positionsOf('k', 1_066_000), { header }).freshness?.position).toBeNull()
})

test('a header that is no position is refused; such a cookie is not, because nobody wrote it by hand', () => {
  const positions = positionsOf('k')
  for (const header of ['', '0/A0', 'x', `${written(positions, '0/A0')}x`])
    expect(() => begin(positions, { header })).toThrow('X-Service-Position')
  expect(begin(positions, { cookie: 'x' }).freshness?.position).toBe(LAST_POSITION)
})
