// Tables of every shape: empty, wide, heavy, without a key, with names of any script.
import { expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { cellAt, editCell, gridOf } from '../sheet.ts'
import type { World } from '../world.ts'
import { lookAt } from './face.ts'
import { COLUMNS } from './odd-tables.ts'

interface OddName {
  readonly table: string
  readonly title: string
  readonly key: string
  readonly label: string
  readonly column: string
  readonly value: string
}

const names: readonly OddName[] = [
  { table: 'الطلبات', title: 'الطلبات', key: '1', column: 'الاسم', label: 'الاسم', value: 'طلب من القاهرة' },
  { table: '注文', title: '注文', key: '1', column: 'お客様', label: 'お客様', value: '山田太郎' },
  {
    table: '📦 boxes',
    title: '📦 boxes',
    key: '1',
    column: 'content',
    label: 'Content',
    value: '🍎 apples & 👩‍👩‍👧 families',
  },
  {
    table: 'select',
    title: 'Select',
    key: 'a/b, c%"d"',
    column: `it's "quoted"`,
    label: `It's "quoted"`,
    value: `O'Brien said "no"`,
  },
]

export function shapeStates(world: World): void {
  test('no rows: says so, and leads to the first one', async () => {
    const visit = await world.enterAs('administrator', '/c/empty_shelf')
    const { page } = visit
    await page.getByRole('heading', { name: 'No rows yet' }).waitFor()
    await lookAt(visit, 'list empty')
    await page.getByRole('button', { name: 'Create the first one' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('New in Empty shelf')
    await lookAt(visit, 'form new')
  })

  test('no rows for a filter: says so, and takes it away', async () => {
    const visit = await world.enterAs('administrator', '/c/products?search=nothing+has+this')
    const { page } = visit
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await lookAt(visit, 'list nothing matches')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await cellAt(page, 1, 'Name')
    expect(new URL(page.url()).search).toBe('')
  })

  test('one row is counted as one', async () => {
    const visit = await world.enterAs('administrator', '/c/one_row')
    const { page } = visit
    expect(await (await cellAt(page, 1, 'Name')).textContent()).toBe('The only one')
    await page.getByText('1 row', { exact: true }).waitFor()
    await lookAt(visit, 'list one row')
  })

  test('300 columns: a list of all of them, and their form', async () => {
    const all = ['id', ...Array.from({ length: COLUMNS - 1 }, (_, index) => `c${String(index + 1).padStart(3, '0')}`)]
    const visit = await world.enterAs('administrator', `/c/wide_table?fields=${all.join(',')}`)
    const { page, hand } = visit
    await cellAt(page, 1, 'ID')
    expect(await gridOf(page, 'Wide table').getAttribute('aria-colcount')).toBe(String(COLUMNS + 1))
    await hand.reach(await cellAt(page, 1, 'ID'))
    await hand.key('End')
    await expect.poll(async () => (await cellAt(page, 1, 'C299')).textContent()).toBe('last')
    expect(await page.getByRole('columnheader').count()).toBeLessThan(60)
    await lookAt(visit, 'list 300 columns')
    await world.open(page, '/c/wide_table/1')
    const last = page.getByRole('textbox', { name: 'C299' })
    await expect.poll(() => last.inputValue()).toBe('last')
    await last.fill('changed')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('textbox', { name: 'C001' }).scrollIntoViewIfNeeded()
    await lookAt(visit, 'form 300 columns')
  })

  test('values of 2 MB: cells carry their beginning, and the form all of them', async () => {
    const visit = await world.enterAs('administrator', '/c/heavy')
    const { page, hand } = visit
    const sizes: number[] = []
    page.on('response', (response) => {
      if (response.request().method() !== 'SEARCH') return
      void response.body().then(({ length }) => sizes.push(length))
    })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => sizes.length).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThan(5000)
    const body = await cellAt(page, 1, 'Body')
    expect((await body.textContent())?.length).toBeLessThan(200)
    await lookAt(visit, 'list 2 MB')
    await editCell(visit, body)
    const box = page.getByRole('dialog', { name: 'Edit Body' })
    const text = box.getByRole('textbox', { name: 'Body' })
    await expect
      .poll(() => text.evaluate((area) => (area as unknown as { value: string }).value.length))
      .toBeGreaterThan(1_900_000)
    await lookAt(visit, 'list 2 MB editor')
    await hand.key('Escape')
    await world.open(page, '/c/heavy/1')
    await page.getByText(/All work and no play/u).waitFor()
    await lookAt(visit, 'form 2 MB')
    await page.getByRole('textbox', { name: 'Title' }).fill('Still two megabytes')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Edit all of it' }).first().click()
    const whole = page.getByRole('textbox', { name: 'Body' })
    await expect
      .poll(() => whole.evaluate((area) => (area as unknown as { value: string }).value.length))
      .toBeGreaterThan(1_900_000)
  })

  test.each(names)('the names of $table are shown and written as they are', async (odd) => {
    const visit = await world.enterAs('administrator', `/c/${encodeURIComponent(odd.table)}`)
    const { page, hand } = visit
    await page.getByRole('heading', { level: 1, name: odd.title, exact: true }).waitFor()
    expect(await (await cellAt(page, 1, odd.label)).textContent()).toBe(odd.value)
    await lookAt(visit, `list named ${names.indexOf(odd) + 1}`)
    await hand.reach(await cellAt(page, 1, odd.label))
    await hand.key('Control+Enter')
    const field = page.getByRole('textbox', { name: odd.label, exact: true })
    await expect.poll(() => field.inputValue()).toBe(odd.value)
    await field.fill(`${odd.value}!`)
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved.').waitFor()
    await lookAt(visit, `form named ${names.indexOf(odd) + 1}`)
    const row = dataOf(
      await world.service.get(`/items/${encodeURIComponent(odd.table)}/${encodeURIComponent(odd.key)}`),
    ) as Readonly<Record<string, unknown>>
    expect(row[odd.column]).toBe(`${odd.value}!`)
  })

  test('no key, a view, and a key of two columns', async () => {
    const visit = await world.enterAs('administrator', '/c/keyless')
    const { page, hand } = visit
    await page.getByText('This table has no primary key').waitFor()
    await lookAt(visit, 'list keyless')
    await hand.reach(await cellAt(page, 1, 'Note'))
    await hand.key('Space')
    await page.getByRole('dialog').getByText('A row without a name').waitFor()
    await lookAt(visit, 'peek keyless')
    await world.open(page, '/c/order_totals')
    await page.getByText('This is a view.').waitFor()
    await lookAt(visit, 'list view')
    await world.open(page, '/c/order_items/1,1')
    const quantity = page.getByRole('textbox', { name: 'Quantity' })
    await quantity.fill('7')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved.').waitFor()
    await lookAt(visit, 'form composite key')
    expect(await quantity.inputValue()).toBe('7')
  })
}
