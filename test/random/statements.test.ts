import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findTaint, openStatementLog } from './statements.ts'

const folder = mkdtempSync(join(tmpdir(), 'tain-property-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads what was added since the last look, whole lines only', () => {
  const file = join(folder, 'log.jsonl')
  const log = openStatementLog(file)
  expect(log.read()).toBe(null)
  appendFileSync(file, '{"text":"select 1"}\n{"text":"sel')
  expect(log.read()).toEqual(['select 1'])
  appendFileSync(file, 'ect \\"ü\\""}\n')
  expect(log.read()).toEqual(['select "ü"'])
  expect(log.read()).toEqual([])
})

it('finds operands in statements', () => {
  expect(findTaint(['select $1', 'select "4n"'])).toBe(null)
  expect(findTaint(['select $1', `select 'c''4n"4;--3'`])).toContain('--3')
  expect(findTaint([`select 'aʞb'`])).not.toBe(null)
})
