import { expect, test } from 'vitest'
import { compare } from './acceptance-results.ts'
import type { CheckResult, UnableRow } from './acceptance-results.ts'

const result = (sentence: string, outcome: CheckResult['outcome'], area = 'Items'): CheckResult => ({
  area,
  sentence,
  outcome,
})
const row = (check: string, area = 'Items'): UnableRow => ({ area, check })
const BROKEN = result('the service starts and the suite runs to its end', 'failed', 'Suite')

test('a failed check that is named is known', () => {
  expect(compare([result('a', 'passed'), result('b', 'failed')], [row('b')], false)).toMatchObject({
    passed: 1,
    unable: [row('b')],
    unexpected: [],
    outdated: [],
    complete: true,
  })
})

test('a failed check that is not named is unexpected, also under the sentence of another area', () => {
  const { unexpected } = compare([result('a', 'failed'), result('a', 'failed', 'Fields')], [row('a')], false)
  expect(unexpected).toEqual([result('a', 'failed', 'Fields')])
})

test('a named check that passes is outdated, a skipped one is not', () => {
  const { outdated } = compare([result('a', 'passed'), result('b', 'skipped')], [row('a'), row('b')], false)
  expect(outdated).toEqual([row('a')])
})

test('one failure among results of one sentence is a failure', () => {
  const results = [result('a', 'passed'), result('a', 'failed'), result('a', 'passed')]
  expect(compare(results, [row('a')], false)).toMatchObject({ unable: [row('a')], unexpected: [], outdated: [] })
})

test('absence counts only in a whole run without broken files', () => {
  const rows = [row('gone')]
  const passed = result('a', 'passed')
  expect(compare([passed], rows, false).outdated).toEqual(rows)
  expect(compare([passed], rows, true).outdated).toEqual([])
  expect(compare([passed, result('runs x.test.js', 'failed', 'Suite')], rows, false).outdated).toEqual([])
  expect(compare([passed, BROKEN], rows, false).outdated).toEqual([])
})

test('a suite that broke off is never known', () => {
  const comparison = compare([BROKEN], [row(BROKEN.sentence, 'Suite')], false)
  expect(comparison).toMatchObject({ complete: false, unexpected: [BROKEN] })
  expect(compare([], [], false).complete).toBe(false)
})
