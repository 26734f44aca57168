import { expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { handKinds } from './hand.ts'
import { cellAt, gridOf } from './sheet.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test.each(handKinds)('a count of related rows opens the list of them, with the %s', async (kind) => {
  const [order] = dataOf(await world.service.get('/items/orders?limit=1&fields=customer')) as { customer: number }[]
  const customer = order?.customer ?? 0
  const filter = JSON.stringify({ id: { _eq: customer } })
  const path = `/c/customers?${new URLSearchParams({ filter, fields: 'id,last_name,count(orders)' }).toString()}`
  const { page, hand } = await world.visitAs('administrator', { hand: kind, path })
  const count = await cellAt(page, 1, 'Orders')
  await expect.poll(() => count.textContent()).toMatch(/^[1-9]/u)
  const counted = await count.textContent()
  if (kind === 'mouse') await count.dblclick()
  else {
    await hand.reach(count)
    await hand.key('Enter')
  }
  await gridOf(page, 'Orders').waitFor()
  await page.getByText(new RegExp(`^${counted} rows?$`, 'u')).waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe(JSON.stringify({ customer: { _eq: customer } }))
})
