import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { gridOf, textsOf } from '../sheet.ts'
import { useWorld, type Visit } from '../world.ts'

const world = useWorld()

let made = 0

/** Somebody who reads all orders and customers, by a policy of their own role. */
async function makeCourier() {
  made += 1
  const name = `Courier ${made}`
  const token = `token-of-courier-${made}`
  const permissions = ['orders', 'customers'].map((collection) => ({
    collection,
    action: 'read',
    fields: ['*'],
    permissions: {},
  }))
  const role = { name, policies: [{ policy: { name: `${name} policy`, app_access: true, permissions } }] }
  const user = { email: `courier.${made}@example.com`, first_name: name, token, role }
  const { id } = dataOf(await world.service.send('POST', '/users', user)) as { id: string }
  const [policy] = dataOf(
    await world.service.get(`/policies?filter[name][_eq]=${encodeURIComponent(`${name} policy`)}&fields=id`),
  ) as { id: string }[]
  return { id, name, token, policy: policy?.id ?? '' }
}

interface Order {
  readonly id: number
  readonly status: string
}

/** In the order of the list. */
const ordersOf = async (token: string) =>
  dataOf(await world.service.get('/items/orders?limit=-1&sort=-id&fields=id,status', { token })) as readonly Order[]

/** Opens the menu of a cell of the matrix. By keys, arrows go from cell to cell. */
async function openCell({ page, hand }: Visit, collection: string, action: string): Promise<void> {
  const matrix = page.getByRole('grid', { name: 'Permissions' })
  const cell = matrix.getByRole('button', { name: `${action} ${collection}: ` })
  await hand.write(page.getByRole('textbox', { name: 'Filter collections of the policy' }), collection)
  await expect.poll(() => matrix.getByRole('rowheader').count()).toBe(1)
  if (hand.kind === 'mouse') return hand.press(cell)
  await hand.reach(matrix.getByRole('button', { name: collection, exact: true }))
  const isThere = () => cell.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let column = 0; column < 4 && !(await isThere()); column += 1) await hand.key('ArrowRight')
  await hand.press(cell)
}

async function explain({ page, hand }: Visit, key: string): Promise<string> {
  await hand.write(page.getByRole('textbox', { name: 'Key' }), key)
  await hand.press(page.getByRole('button', { name: 'Explain', exact: true }))
  const answer = page.locator('#work [aria-live=polite]').filter({ hasText: `/items/orders/${key}` })
  await answer.waitFor()
  return (await answer.textContent()) ?? ''
}

describe.each(handKinds)('with the %s', (hand) => {
  test('a rule is written, reviewed and saved, seen as somebody with the policy, and explained', async () => {
    const courier = await makeCourier()
    const all = await ordersOf(courier.token)
    const paid = all.filter(({ status }) => status === 'paid')
    const visit = await world.visitAs('administrator', { hand, path: `/access/policies/${courier.policy}` })
    const { page, guard } = visit

    await openCell(visit, 'Orders', 'Read')
    await visit.hand.press(page.getByRole('menuitem', { name: 'Rule and fields…' }))
    const editor = page.getByRole('region', { name: 'Permissions on Orders' })
    await visit.hand.press(editor.getByRole('button', { name: 'Write a rule' }))
    const rule = page.getByRole('dialog', { name: 'Rule' })
    await visit.hand.write(rule.getByRole('combobox', { name: 'Field' }), 'Status')
    await visit.hand.press(page.getByRole('option', { name: 'Status' }).first())
    await visit.hand.select(rule.getByRole('combobox', { name: 'Value', exact: true }), 'paid')
    await visit.hand.press(rule.getByRole('button', { name: 'Done' }))
    await editor.getByText('Rows where Status is paid').waitFor()
    const effect = editor.getByRole('group', { name: 'Effect' })
    await effect.getByText(`today ${all.length}`).waitFor()
    await effect
      .getByText(new RegExp(`^${paid.length}\\b`, 'u'))
      .first()
      .waitFor()

    await visit.hand.press(page.getByRole('button', { name: 'Review 1 change' }))
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByText('This concerns 1 person').waitFor()
    const line = review.getByRole('list', { name: 'Effects' }).getByRole('listitem')
    expect(await line.count()).toBe(1)
    expect(await line.textContent()).toContain('Loses Read Orders')
    await visit.hand.press(review.getByRole('button', { name: 'Count the rows of Read Orders' }))
    await line.getByText(`${all.length} → ${paid.length} rows`).waitFor()
    expect(await ordersOf(courier.token)).toEqual(all)
    await visit.hand.press(review.getByRole('button', { name: 'Save 1 change' }))
    await page.getByText('The policy is saved.').waitFor()
    expect(await ordersOf(courier.token)).toEqual(paid)

    await visit.hand.press(page.getByRole('button', { name: `View as ${courier.name}` }))
    await page.getByText(`You see what ${courier.name} sees.`).waitFor()
    const side = page.getByRole('navigation', { name: 'Collections' })
    await visit.hand.press(side.getByRole('link', { name: /^Orders/u }))
    await gridOf(page, 'Orders').waitFor()
    await expect.poll(() => textsOf(page, 'ID')).toEqual(paid.map(({ id }) => String(id)))
    await visit.hand.press(page.getByRole('button', { name: 'Stop', exact: true }))
    await page.getByRole('button', { name: `View as ${courier.name}` }).waitFor()

    await visit.hand.press(page.getByRole('link', { name: 'Explain' }))
    await visit.hand.press(page.getByRole('button', { name: /^User: /u }))
    await visit.hand.write(page.getByRole('textbox', { name: 'Search users' }), courier.name)
    await visit.hand.press(page.getByRole('dialog', { name: 'User' }).getByRole('button', { name: courier.name }))
    await visit.hand.select(page.getByRole('combobox', { name: 'Collection' }), 'Orders')
    const readable = String(paid[0]?.id)
    const hidden = String(all.find(({ status }) => status !== 'paid')?.id)
    const [yes, no] = [await explain(visit, readable), await explain(visit, hidden)]
    expect(yes).toContain(`${courier.name} may do this`)
    expect(yes).toContain('holds for this row')
    expect(no).toContain(`${courier.name} may not do this`)
    expect(no).toContain('does not hold for this row')
    const statusOf = async (key: string) =>
      (await world.service.get(`/items/orders/${key}`, { token: courier.token })).status
    expect([await statusOf(readable), await statusOf(hidden)]).toEqual([200, 403])
    expect(guard.refusals()).toEqual([])
  })
})
