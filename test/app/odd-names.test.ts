import { beforeAll, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { cellAt, editCell, gridOf, headerOf, textsOf } from './sheet.ts'
import { useWorld } from './world.ts'

const world = useWorld()

beforeAll(async () => {
  await world.database.query(
    'create table city (id int primary key, "a.b" int, "c,d" varchar(20), "e:f" int, "g(h)" int)',
  )
  for (const id of [1, 2]) await world.database.query(`insert into city values (${id}, ${10 * id}, 'city ${id}', 7, 8)`)
})

test('a table whose columns have dots, commas, colons and parentheses is listed, sorted, edited and opened', async () => {
  await expect.poll(async () => (await world.service.get('/items/city')).status, { timeout: 20_000 }).toBe(200)
  const visit = await world.visitAs('administrator', { path: '/c/city' })
  const { page, hand } = visit
  await gridOf(page, 'City').waitFor()
  await expect.poll(() => textsOf(page, 'C,d')).toEqual(['city 2', 'city 1'])

  await headerOf(page, 'A.b').click()
  await expect.poll(() => textsOf(page, 'A.b')).toEqual(['10', '20'])

  await editCell(visit, await cellAt(page, 1, 'A.b'))
  await hand.key('Control+A')
  await hand.type('15')
  await hand.key('Enter')
  await expect
    .poll(async () => dataOf(await world.service.get('/items/city/1')))
    .toMatchObject({ 'a.b': 15, 'g(h)': 8 })
  await expect.poll(() => textsOf(page, 'A.b')).toEqual(['15', '20'])

  await world.open(page, '/c/city/1')
  await expect.poll(() => page.getByRole('textbox', { name: 'C,d' }).inputValue()).toBe('city 1')
  await hand.write(page.getByRole('textbox', { name: 'C,d' }), 'renamed')
  await hand.key('Control+S')
  await expect.poll(async () => dataOf(await world.service.get('/items/city/1'))).toMatchObject({ 'c,d': 'renamed' })
})
