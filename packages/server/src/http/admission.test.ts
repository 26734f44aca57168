import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Observation } from '../observe.ts'
import { createAdmission, type Admission, type Load } from './admission.ts'

let load: Load
let seen: Observation[]
let admission: Admission

const create = (most: number | null, now?: () => number) =>
  createAdmission({
    most,
    acquireTimeout: 2000,
    load: () => load,
    isReachable: () => load.outage === null,
    isStarted: () => true,
    observe: (observation) => seen.push(observation),
    random: () => 0.99,
    ...(now === undefined ? {} : { now }),
  })

beforeEach(() => {
  vi.useFakeTimers()
  load = { outage: null, wait: 0 }
  seen = []
  admission = create(null)
})
afterEach(() => {
  admission.stop()
  vi.useRealTimers()
})

const letIn = (count: number) => {
  for (let each = 0; each < count; each += 1) admission.enter()
}

/** While requests would wait too long. */
const overload = () => {
  load = { outage: null, wait: 1600 }
}

test('lets any number of requests in while a connection is free in time', () => {
  letIn(10_000)
  expect(admission.refuse(0)).toBeNull()
  load = { outage: null, wait: 1500 }
  expect(admission.refuse(0)).toBeNull()
})

test('refuses requests that would wait too long for a connection, and lets them in again at once', () => {
  overload()
  expect(admission.refuse(0)).toBe('full')
  load = { outage: null, wait: 1400 }
  expect(admission.refuse(0)).toBeNull()
})

test('the time until a request begins counts', () => {
  load = { outage: null, wait: 1000 }
  expect([admission.refuse(400), admission.refuse(600)]).toEqual([null, 'full'])
})

test('an event loop that is late refuses nothing', async () => {
  let clock = 0
  admission.stop()
  admission = create(null, () => clock)
  letIn(1000)
  for (let tick = 0; tick < 10; tick += 1) {
    clock += 2000
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(admission.refuse(0)).toBeNull()
})

test('a hard bound counts requests, whatever they wait', () => {
  admission.stop()
  admission = create(50)
  letIn(50)
  expect(admission.refuse(0)).toBe('full')
  admission.leave()
  expect(admission.refuse(0)).toBeNull()
})

test('refuses all while the database is away, and reports that twice', async () => {
  load = { outage: 'no route', wait: 0 }
  expect([admission.refuse(0), admission.refuse(0)]).toEqual(['away', 'away'])
  await vi.advanceTimersByTimeAsync(1000)
  load = { outage: null, wait: 0 }
  expect(admission.refuse(0)).toBeNull()
  await vi.advanceTimersByTimeAsync(1000)
  expect(seen).toEqual([
    { kind: 'outage-began', reason: 'no route' },
    { kind: 'outage-ended', milliseconds: 1000, refused: 2 },
  ])
})

test('reports an overload when it begins, and its count when nothing was refused for a while', async () => {
  letIn(50)
  overload()
  for (let each = 0; each < 3; each += 1) expect(admission.refuse(0)).toBe('full')
  await vi.advanceTimersByTimeAsync(4000)
  expect(seen).toEqual([{ kind: 'overload-began', inFlight: 50, wait: 1600 }])
  await vi.advanceTimersByTimeAsync(2000)
  expect(seen.slice(1)).toEqual([{ kind: 'overload-ended', milliseconds: 0, refused: 3 }])
})

describe('a refused caller may come back', () => {
  test('after a second at first', () => expect(admission.retryAfter()).toBe(1))

  test('later, the more are refused for each that is served', () => {
    letIn(10)
    for (let each = 0; each < 10; each += 1) admission.leave()
    overload()
    for (let each = 0; each < 80; each += 1) admission.refuse(0)
    expect(admission.retryAfter()).toBe(8)
    for (let each = 0; each < 8000; each += 1) admission.refuse(0)
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
