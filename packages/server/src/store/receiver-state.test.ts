import { describe, expect, test } from 'vitest'
import { MOST_FAILURES, nextState, probeWait, type ReceiverAnswer } from './receiver-state.ts'

const failed = (count: number): ReceiverAnswer[] => Array.from({ length: count }, () => 'failed')
const sound = { failures: 0, failingFor: null }

describe('the state of a receiver', () => {
  test('a receiver fails after 20 failed attempts in a row', () => {
    expect(nextState(sound, failed(MOST_FAILURES - 1))).toEqual({ failures: 19, isFailing: false })
    expect(nextState(sound, failed(MOST_FAILURES))).toEqual({ failures: 20, isFailing: true })
    expect(nextState({ failures: 19, failingFor: null }, ['failed'])).toEqual({ failures: 20, isFailing: true })
  })
  test('a delivery that it takes ends that, and failures before it do not count', () => {
    expect(nextState({ failures: 300, failingFor: 9000 }, ['taken'])).toEqual({ failures: 0, isFailing: false })
    expect(nextState({ failures: 19, failingFor: null }, ['failed', 'taken', 'failed'])).toEqual({
      failures: 1,
      isFailing: false,
    })
    expect(nextState(sound, ['taken', ...failed(MOST_FAILURES)])).toEqual({ failures: 20, isFailing: true })
  })
  test('it goes on failing while it takes nothing, and attempts that sent nothing do not count', () => {
    expect(nextState({ failures: 20, failingFor: 1 }, [null])).toEqual({ failures: 20, isFailing: true })
    expect(nextState(sound, [null, null])).toEqual({ failures: 0, isFailing: false })
  })
  test('attempts become rarer, and there is at least one a minute', () => {
    expect(probeWait(null, 5000)).toBe(5000)
    expect(probeWait(100_000, 5000)).toBe(25_000)
    expect(probeWait(86_400_000, 5000)).toBe(60_000)
    expect(probeWait(0, 0)).toBe(100)
    expect(probeWait(0, 300_000)).toBe(60_000)
  })
})
