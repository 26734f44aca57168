import { describe, expect, test } from 'vitest'
import { codeOf, TOKEN } from '../lib/service.ts'
import { kinds } from './people.ts'
import { screens } from './screens.ts'
import { useWorld } from './world.ts'

const world = useWorld()

/** Whether the service lets somebody create a row, without creating one. */
async function mayCreate(collection: string, token: string): Promise<boolean> {
  const answer = await world.service.send(
    'POST',
    `/items/${collection}`,
    {},
    { token, headers: { prefer: 'tx=rollback' } },
  )
  return answer.status < 300 || codeOf(answer) === 'FAILED_VALIDATION'
}

describe.each(kinds)('the %s', (kind) => {
  test('is shown nothing that fails on any screen', async () => {
    const { page, guard } = await world.visitAs(kind)
    const wrong: string[] = []
    for (const { path, heading, isFor } of screens) {
      const before = guard.refusals().length
      await world.open(page, path)
      if (isFor.includes(kind)) await page.getByRole('heading', { level: 1, name: heading }).first().waitFor()
      else
        await page
          .getByText(/administrators|may not|no collection|no item|not there|cannot/iu)
          .first()
          .waitFor()
      await guard.quiet()
      const refused = guard.refusals().slice(before)
      wrong.push(...refused.map(({ status, method, path: at }) => `${path}: ${method} ${at} answered ${status}`))
    }
    expect(wrong).toEqual([])
  }, 180_000)

  test('finds the button that creates exactly where creating works', async () => {
    const { token } = { administrator: { token: TOKEN }, editor: world.people.editor, viewer: world.people.viewer }[
      kind
    ]
    const { page, guard } = await world.visitAs(kind)
    const shown: Record<string, boolean> = {}
    const works: Record<string, boolean> = {}
    const lists = screens.filter(({ path, isFor }) => /^\/c\/\w+$/u.test(path) && isFor.includes(kind))
    for (const { path, heading } of lists) {
      const collection = path.slice('/c/'.length)
      await world.open(page, path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await guard.quiet()
      shown[collection] = await page.getByRole('link', { name: 'New', exact: true }).isVisible()
      works[collection] = await mayCreate(collection, token)
    }
    expect(shown).toEqual(works)
  })

  test('finds exactly the collections at the side that can be read', async () => {
    const { token } = { administrator: { token: TOKEN }, editor: world.people.editor, viewer: world.people.viewer }[
      kind
    ]
    const { page } = await world.visitAs(kind)
    const side = page.getByRole('navigation', { name: 'Collections' })
    await side.getByRole('link').first().waitFor()
    const shown = await side
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href.replace(/^.*\/c\//u, '')))
    const readable: string[] = []
    const { body } = await world.service.get('/collections')
    const names = (body as { data: { collection: string }[] }).data.map(({ collection }) => collection)
    for (const name of names.filter((each) => !each.startsWith('service_')))
      if ((await world.service.get(`/items/${name}?limit=1`, { token })).status === 200) readable.push(name)
    expect(shown.toSorted()).toEqual(readable.toSorted())
  })
})
