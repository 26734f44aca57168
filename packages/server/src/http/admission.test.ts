import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Observation } from '../observe.ts'
import { nextLimit } from './admission-limit.ts'
import { createAdmission, type Admission, type Load } from './admission.ts'

let load: Load
let seen: Observation[]
let admission: Admission

beforeEach(() => {
  vi.useFakeTimers()
  load = { outage: null, wait: 0 }
  seen = []
  admission = createAdmission({
    poolMax: 2,
    most: 50,
    acquireTimeout: 2000,
    load: () => load,
    isReachable: () => load.outage === null,
    isStarted: () => true,
    observe: (observation) => seen.push(observation),
    random: () => 0.99,
  })
})
afterEach(() => {
  admission.stop()
  vi.useRealTimers()
})

const letIn = (count: number) => {
  for (let each = 0; each < count; each += 1) admission.enter()
}

test('lets requests in up to the limit, and again when one has left', () => {
  letIn(50)
  expect(admission.refuse()).toBe('full')
  admission.leave()
  expect(admission.refuse()).toBeNull()
})

test('refuses all while the database is away, and reports that twice', async () => {
  load = { outage: 'no route', wait: 0 }
  expect([admission.refuse(), admission.refuse()]).toEqual(['away', 'away'])
  await vi.advanceTimersByTimeAsync(1000)
  load = { outage: null, wait: 0 }
  expect(admission.refuse()).toBeNull()
  await vi.advanceTimersByTimeAsync(1000)
  expect(seen).toEqual([
    { kind: 'outage-began', reason: 'no route' },
    { kind: 'outage-ended', milliseconds: 1000, refused: 2 },
  ])
})

test('lets fewer in while statements wait, and more again afterwards', async () => {
  letIn(50)
  load = { outage: null, wait: 5000 }
  await vi.advanceTimersByTimeAsync(200)
  expect(admission.stats().limit).toBe(50)
  await vi.advanceTimersByTimeAsync(100)
  // A tenth of the wait is bearable.
  expect(admission.stats().limit).toBe(5)
  await vi.advanceTimersByTimeAsync(2000)
  expect(admission.stats().limit).toBe(5)
  load = { outage: null, wait: 0 }
  await vi.advanceTimersByTimeAsync(5000)
  expect(admission.stats().limit).toBe(50)
})

test('reports an overload when it begins, and its count when nothing was refused for a while', async () => {
  letIn(50)
  for (let each = 0; each < 3; each += 1) expect(admission.refuse()).toBe('full')
  await vi.advanceTimersByTimeAsync(4000)
  expect(seen).toEqual([{ kind: 'overload-began', inFlight: 50, limit: 50 }])
  await vi.advanceTimersByTimeAsync(2000)
  expect(seen.slice(1)).toEqual([{ kind: 'overload-ended', milliseconds: 0, refused: 3 }])
})

describe('a refused caller may come back', () => {
  test('after a second at first', () => expect(admission.retryAfter()).toBe(1))

  test('later, the more are refused for each that is served', () => {
    letIn(50)
    for (let each = 0; each < 10; each += 1) admission.leave()
    letIn(10)
    for (let each = 0; each < 80; each += 1) admission.refuse()
    expect(admission.retryAfter()).toBe(8)
    for (let each = 0; each < 8000; each += 1) admission.refuse()
    expect(admission.retryAfter()).toBe(30)
  })

  test('later, the longer the database is away', async () => {
    load = { outage: 'no route', wait: 0 }
    await vi.advanceTimersByTimeAsync(5100)
    expect(admission.retryAfter()).toBe(5)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(admission.retryAfter()).toBe(10)
  })
})

test('a limit is never below twice the connections', () => {
  const state = { limit: 50, inFlight: 50, least: 4, most: 50 }
  expect(nextLimit({ ...state, pressure: 1000 })).toBe(4)
  expect(nextLimit({ ...state, pressure: 2 })).toBe(25)
  expect(nextLimit({ ...state, limit: 4, inFlight: 50, pressure: 2 })).toBe(4)
})
