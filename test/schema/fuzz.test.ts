import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { isAllowed } from './shapes.ts'
import { gateSeed } from '../property/gate.ts'

test(
  'hostile calls make no statement but the listed ones, and leave structure and metadata in agreement',
  { timeout: 180_000 },
  async () => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const { problems, accepted, refused, definitions } = await fuzz({ calls: 1500, seconds: 30, seed })
    expect(problems).toEqual([])
    expect(Math.min(accepted, refused, definitions)).toBeGreaterThan(20)
  },
)

test('the shapes tell what is said from what was sent', () => {
  expect(isAllowed(`alter table "public"."a" add column "zq7x""; drop" text default 'zq7x''; drop'::text`)).toBe(true)
  for (const statement of [
    `alter table "public"."a" add column "zq7x"; drop table keep; --" text`,
    `alter table "public"."a" add column "x" text default 'zq7x'; drop table keep; --'::text`,
    `alter table "public"."a" add column "x" text default random()`,
    `create function f() returns int language sql as ''`,
    `select zq7x from a`,
    `drop table keep`,
  ])
    expect([statement, isAllowed(statement)]).toEqual([statement, false])
})
