import { describe, expect, test } from 'vitest'
import { codeOf, dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { useMailWorld } from '../mail-world.ts'
import { signIn } from '../shop.ts'
import type { Visit } from '../world.ts'

const { world, mails } = useMailWorld()

let made = 0

/** Signs in without the app: what the service answers. */
const signInCode = async (email: string, password: string) => {
  const answer = await world.service.send('POST', '/auth/login', { email, password }, { token: null })
  return answer.status === 200 ? 'signed in' : codeOf(answer)
}

const isIn = ({ page }: Visit) => page.getByRole('navigation', { name: 'Modules' })

describe.each(handKinds)('with the %s', (hand) => {
  test('a user is invited, gets a role and a token, is signed out, suspended and deleted', async () => {
    made += 1
    const email = `lena.${made}@example.com`
    const password = 'a password of her own'
    const visit = await world.visitAs('administrator', { hand, path: '/access/users' })
    const { page } = visit

    await visit.hand.press(page.getByRole('button', { name: 'Invite' }))
    const invitation = page.getByRole('dialog', { name: 'Invite people' })
    await visit.hand.write(invitation.getByRole('textbox', { name: 'E-mail addresses' }), email)
    await visit.hand.select(invitation.getByRole('combobox', { name: 'Role' }), 'Visitors')
    await visit.hand.press(invitation.getByRole('button', { name: 'Invite 1 person' }))
    await page.getByText('Invited 1 person.').waitFor()
    const token = /token=([\w.-]+)/u.exec((await mails().next(email)).content)?.[1]
    expect(await signInCode(email, password)).toBe('INVALID_CREDENTIALS')
    const accepted = await world.service.send('POST', '/users/invite/accept', { token, password }, { token: null })
    expect(accepted.status).toBeLessThan(300)
    expect(await signInCode(email, password)).toBe('signed in')

    await visit.hand.write(page.getByRole('textbox', { name: 'Search users' }), email)
    await expect.poll(() => page.getByRole('table', { name: 'Users' }).getByRole('row').count()).toBe(2)
    await visit.hand.press(page.getByRole('link', { name: email }))
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
    const { id } = (
      dataOf(await world.service.get(`/users?filter[email][_eq]=${email}&fields=id`)) as { id: string }[]
    )[0] ?? {
      id: '',
    }
    const stored = async () => dataOf(await world.service.get(`/users/${id}?fields=first_name,status,role.name`))

    await visit.hand.write(page.getByRole('textbox', { name: 'First name' }), 'Lena')
    await visit.hand.select(page.getByRole('combobox', { name: 'Role' }), 'Sales')
    await visit.hand.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await stored()).toEqual({ first_name: 'Lena', status: 'active', role: { name: 'Sales' } })

    await visit.hand.press(page.getByRole('button', { name: 'Issue a token' }))
    const issuing = page.getByRole('dialog', { name: 'Static token of Lena' })
    await visit.hand.press(issuing.getByRole('button', { name: 'Issue a token' }))
    const issued = (await issuing.locator('code').textContent()) ?? ''
    await page.getByText('There is one. It cannot be shown again.').waitFor()
    expect(await issuing.locator('code').textContent()).toBe(issued)
    await visit.hand.press(issuing.getByRole('button', { name: 'I have stored it' }))
    await issuing.waitFor({ state: 'detached' })
    expect(await page.locator('body').textContent()).not.toContain(issued)
    const byToken = () => world.service.get('/users/me?fields=id', { token: issued })
    expect(dataOf(await byToken())).toEqual({ id })

    const lena = await world.visit()
    // The session ends, and cannot be renewed. What is asked before the app knows is asked as nobody.
    lena.guard.allow(400, 401, 403)
    await world.open(lena.page, '/c/orders')
    await signIn(lena, { email, password })
    await isIn(lena).waitFor()
    await visit.hand.press(page.getByRole('button', { name: 'End sessions' }))
    await visit.hand.press(page.getByRole('dialog').getByRole('button', { name: 'End the sessions' }))
    await page.getByText('All sessions have ended.').waitFor()
    await lena.page.keyboard.press('r')
    const ended = lena.page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    expect(await signInCode(email, password)).toBe('signed in')

    await visit.hand.select(page.getByRole('combobox', { name: 'Status' }), 'Suspended')
    await visit.hand.press(page.getByRole('button', { name: 'Save', exact: true }))
    await expect.poll(stored).toMatchObject({ status: 'suspended' })
    expect(await signInCode(email, password)).not.toBe('signed in')
    expect((await byToken()).status).toBe(401)
    await ended.getByLabel('Password', { exact: true }).fill(password)
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.getByRole('alert').waitFor()

    await visit.hand.press(page.getByRole('button', { name: 'Delete the user' }))
    const deletion = page.getByRole('dialog', { name: 'Delete Lena?' })
    await visit.hand.press(deletion.getByRole('button', { name: 'Delete the user' }))
    await page.getByText('Lena is deleted.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect(dataOf(await world.service.get(`/users?filter[id][_eq]=${id}&fields=id`))).toEqual([])
    expect(await signInCode(email, password)).toBe('INVALID_CREDENTIALS')
  })
})
