import { expect, test } from 'vitest'
import { compare, updated } from './waiting-list.ts'
import type { CheckResult, WaitingRow } from './waiting-list.ts'

const result = (sentence: string, outcome: CheckResult['outcome'], area = 'Items'): CheckResult => ({
  area,
  sentence,
  outcome,
})
const row = (check: string, area = 'Items'): WaitingRow => ({ area, check, needs: 'writes' })
const BROKEN = result('the service starts and the suite runs to its end', 'failed', 'Suite')

test('a failed check that is named is waiting', () => {
  expect(compare([result('a', 'passed'), result('b', 'failed')], [row('b')], false)).toMatchObject({
    passed: 1,
    waiting: [row('b')],
    unexpected: [],
    outdated: [],
    complete: true,
  })
})

test('a failed check that is not named is unexpected, also under the sentence of another area', () => {
  const { unexpected } = compare([result('a', 'failed'), result('a', 'failed', 'Fields')], [row('a')], false)
  expect(unexpected).toEqual([result('a', 'failed', 'Fields')])
})

test('a named check that passes is outdated, a skipped one is kept', () => {
  const { outdated, kept } = compare([result('a', 'passed'), result('b', 'skipped')], [row('a'), row('b')], false)
  expect(outdated).toEqual([row('a')])
  expect(kept).toEqual([row('b')])
})

test('one failure among results of one sentence keeps it waiting', () => {
  const results = [result('a', 'passed'), result('a', 'failed'), result('a', 'passed')]
  expect(compare(results, [row('a')], false)).toMatchObject({ waiting: [row('a')], unexpected: [], outdated: [] })
})

test('absence counts only in a whole run without broken files', () => {
  const rows = [row('gone')]
  const passed = result('a', 'passed')
  expect(compare([passed], rows, false).outdated).toEqual(rows)
  expect(compare([passed], rows, true).outdated).toEqual([])
  expect(compare([passed, result('runs x.test.js', 'failed', 'Suite')], rows, false).outdated).toEqual([])
  expect(compare([passed, BROKEN], rows, false).outdated).toEqual([])
})

test('a suite that broke off can never be waiting', () => {
  const comparison = compare([BROKEN], [row(BROKEN.sentence, 'Suite')], false)
  expect(comparison).toMatchObject({ complete: false, unexpected: [BROKEN] })
  expect(compare([], [], false).complete).toBe(false)
})

test('updating removes rows and keeps their reasons; only the first writing adds', () => {
  const comparison = compare(
    [result('a', 'passed'), result('b', 'failed'), result('c', 'failed'), result('c', 'failed')],
    [row('a'), row('b')],
    false,
  )
  expect(updated(comparison, false)).toEqual([row('b')])
  expect(updated(comparison, true)).toEqual([row('b'), { area: 'Items', check: 'c', needs: '' }])
})

test('a row without a check holds its whole area, until none of its checks fails', () => {
  const area: WaitingRow = { area: 'Files', needs: 'files' }
  const failed = result('b', 'failed', 'Files')
  expect(compare([result('a', 'passed', 'Files'), failed, result('c', 'failed')], [area], false)).toMatchObject({
    waiting: [area],
    unexpected: [result('c', 'failed')],
    outdated: [],
  })
  expect(compare([result('a', 'passed', 'Files')], [area], false).outdated).toEqual([area])
  expect(compare([result('a', 'passed')], [area], true).outdated).toEqual([])
  expect(compare([result('a', 'passed')], [area], false).outdated).toEqual([area])
})
