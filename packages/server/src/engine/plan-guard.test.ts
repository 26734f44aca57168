import { describe, expect, test } from 'vitest'
import type { Observation } from '../observe.ts'
import { DatabaseError, type Driver, type Row, type Statement } from '../sql/driver.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { sqlite } from '../sql/dialects/sqlite/index.ts'
import { createPlanGuard, type PlanGuardOptions } from './plan-guard.ts'

const LIMIT = 100

/** A database whose plans cost what the first value of the statement says. */
function guarded(mode: 'report' | 'refuse', options: PlanGuardOptions = {}) {
  const asked: string[] = []
  const told: Extract<Observation, { kind: 'statement-costly' }>[] = []
  const query = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    asked.push(text)
    if (values[0] === 'broken') throw new DatabaseError('other', 'no plan')
    return [[JSON.stringify([{ Plan: { 'Total Cost': Number(values[0]) } }])]]
  }
  const guard = createPlanGuard(
    { driver: { query } as unknown as Driver, dialect: postgres },
    {
      limit: LIMIT,
      byPolicy: new Map([
        ['narrow', 10],
        ['wide', 1000],
      ]),
      mode,
    },
    (observation) => observation.kind === 'statement-costly' && told.push(observation),
    options,
  )
  if (guard === null) throw new Error('there are costs')
  const run = async (text: string, cost: number | string, ...policies: readonly string[]) => {
    const outcome = await guard({ text, values: [String(cost)] }, { policies }).then(
      () => 'read',
      (error: Error) => error.message,
    )
    await new Promise((resolve) => setImmediate(resolve))
    return outcome
  }
  return { run, asked, told }
}

describe('reports', () => {
  test('ask for the plan of a text once, never refuse, and count every read above the limit', async () => {
    const { run, asked, told } = guarded('report')
    for (const cost of [500, 1, 1]) expect(await run('select a', cost)).toBe('read')
    expect(asked).toEqual(['explain (format json) select a'])
    expect(told.map(({ isNew, isRefused }) => [isNew, isRefused])).toEqual([
      [true, false],
      [false, false],
      [false, false],
    ])
  })

  test('contain the text without values, and a fingerprint that is the same for the same text', async () => {
    const { run, told } = guarded('report')
    await run('select a where b = $1', 987_654)
    await run('select a where b = $1', 987_655)
    expect(told[0]).toMatchObject({ text: 'select a where b = $1', limit: LIMIT })
    expect(told[0]?.fingerprint).toMatch(/^[0-9a-f]{16}$/u)
    expect(told[1]?.fingerprint).toBe(told[0]?.fingerprint)
  })

  test('say nothing of a statement at the limit, or without a plan', async () => {
    const { run, told } = guarded('report')
    await run('select a', LIMIT)
    expect(await run('select b', 'broken')).toBe('read')
    expect(told).toEqual([])
  })
})

describe('refusals', () => {
  test('say what to do, and not what it would cost', async () => {
    const { run } = guarded('refuse')
    const message = await run('select a', 98_765)
    expect(message).toContain('Add a filter or a smaller limit')
    expect(message).not.toContain('98765')
  })

  test('rest on the values of the request: the same text passes with others', async () => {
    const { run, asked, told } = guarded('refuse')
    expect(await run('select a', 500)).not.toBe('read')
    expect(await run('select a', 5)).toBe('read')
    expect(await run('select a', 500)).not.toBe('read')
    expect(asked).toHaveLength(3)
    expect(told.map(({ isRefused }) => isRefused)).toEqual([true, true])
  })

  test('do not ask again for a text that was cheap', async () => {
    const { run, asked } = guarded('refuse')
    for (let times = 0; times < 5; times += 1) expect(await run('select a', 5)).toBe('read')
    expect(asked).toHaveLength(1)
  })

  test('follow the limits of policies, of which the largest counts', async () => {
    const { run, told } = guarded('refuse')
    expect(await run('select a', 50, 'other')).toBe('read')
    expect(await run('select a', 50, 'narrow', 'other')).not.toBe('read')
    expect(await run('select b', 500, 'narrow', 'wide')).toBe('read')
    expect(await run('select c', 5000, 'wide')).not.toBe('read')
    expect(told.map(({ limit }) => limit)).toEqual([10, 1000])
  })

  test('leave a statement alone whose plan cannot be had', async () => {
    expect(await guarded('refuse').run('select a', 'broken')).toBe('read')
  })
})

test('plans are asked for again when they are old', async () => {
  let clock = 0
  const { run, asked } = guarded('refuse', { lifetime: 1000, now: () => clock })
  await run('select a', 5)
  clock = 999
  await run('select a', 5)
  expect(asked).toHaveLength(1)
  clock = 1000
  await run('select a', 5)
  expect(asked).toHaveLength(2)
})

test('of many texts, those that were used last are remembered', async () => {
  const { run, asked } = guarded('refuse', { size: 2 })
  for (const text of ['a', 'b', 'a', 'c', 'a']) await run(text, 5)
  expect(asked).toHaveLength(3)
  await run('b', 5)
  expect(asked).toHaveLength(4)
})

test('there is no guard where plans have no costs', () => {
  const database = { driver: {} as Driver, dialect: sqlite }
  expect(createPlanGuard(database, { limit: LIMIT, mode: 'refuse' }, () => undefined)).toBeNull()
})
