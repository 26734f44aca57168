import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { steadyStep, totp } from '../../service/accounts.ts'
import type { ReceivedMail } from '../../lib/smtp.ts'
import { handKinds } from '../hand.ts'
import { useMailWorld } from '../mail-world.ts'
import { signIn } from '../shop.ts'
import type { Visit } from '../world.ts'

const { world, mails } = useMailWorld()

/** The path of the app to which a mail leads. */
const pathIn = ({ content }: ReceivedMail): string => /\/admin(\/[^\s"]+token=[\w.-]+)/u.exec(content)?.[1] ?? ''

describe.each(handKinds)('with the %s', (hand) => {
  const makeUser = async (name: string) => {
    const email = `${name}.${hand}@example.com`
    const password = `a good password for ${name}`
    const { role } = dataOf(await world.service.get(`/users/${world.people.viewer.id}?fields=role`)) as { role: string }
    dataOf(await world.service.send('POST', '/users', { email, password, role, first_name: name }))
    return { email, password }
  }
  const isIn = ({ page }: Visit) => page.getByRole('navigation', { name: 'Modules' }).isVisible()

  test('a wrong password is refused, the right one opens the page that was asked for', async () => {
    const visit = await world.visit({ hand })
    const { page, guard } = visit
    guard.allow(401)
    const { email, password } = world.people.editor
    await world.open(page, '/c/orders')
    await signIn(visit, { email, password: 'something else' })
    await page.getByRole('alert').filter({ hasText: 'not right' }).waitFor()
    await signIn(visit, { email, password })
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    expect(page.url()).toContain('/admin/c/orders')
  })

  test('who forgot the password sets a new one by mail', async () => {
    const person = await makeUser('Leyla')
    const visit = await world.visit({ hand })
    const { page } = visit
    await world.open(page, '/login')
    await visit.hand.press(page.getByRole('link', { name: 'Forgot?' }))
    await visit.hand.write(page.getByRole('textbox', { name: 'E-mail' }), person.email)
    await visit.hand.press(page.getByRole('button', { name: 'Send the link' }))
    await page.getByText('Look into your mail').waitFor()
    await world.open(page, pathIn(await mails().next(person.email)))
    const password = `a new password ${hand}`
    await visit.hand.write(page.getByLabel('New password', { exact: true }), password)
    await visit.hand.press(page.getByRole('button', { name: 'Set the password' }))
    await page.getByText('Your new password is set.').waitFor()
    await signIn(visit, { email: person.email, password })
    await expect.poll(() => isIn(visit)).toBe(true)
  })

  test('who is invited chooses a password and signs in', async () => {
    const email = `noah.${hand}@example.com`
    const { role } = dataOf(await world.service.get(`/users/${world.people.viewer.id}?fields=role`)) as { role: string }
    expect((await world.service.send('POST', '/users/invite', { email, role })).status).toBeLessThan(300)
    const visit = await world.visit({ hand })
    const { page } = visit
    await world.open(page, pathIn(await mails().next(email)))
    const password = `the first password ${hand}`
    await visit.hand.write(page.getByLabel('New password', { exact: true }), password)
    await visit.hand.press(page.getByRole('button', { name: 'Accept the invitation' }))
    await page.getByText('Your account is ready.').waitFor()
    await signIn(visit, { email, password })
    await expect.poll(() => isIn(visit)).toBe(true)
  })

  test('a link that was cut says so and where to get another', async () => {
    const visit = await world.visit({ hand })
    const { page, guard } = visit
    guard.allow(403)
    await world.open(page, '/reset-password?token=cut')
    await visit.hand.write(page.getByLabel('New password', { exact: true }), 'any password at all')
    await visit.hand.press(page.getByRole('button', { name: 'Set the password' }))
    await page.getByText('This link does not work').waitFor()
    await visit.hand.press(page.getByRole('link', { name: 'Ask for a new link' }))
    await expect.poll(() => page.getByRole('button', { name: 'Send the link' }).isVisible()).toBe(true)
  })

  test('a second factor is set up, and asked for from then on', async () => {
    const person = await makeUser('Hugo')
    const visit = await world.visit({ hand })
    const { page, guard } = visit
    guard.allow(401)
    await world.open(page, '/settings/profile')
    await signIn(visit, person)
    const section = page.getByRole('region', { name: 'Second factor' })
    await visit.hand.press(section.getByRole('button', { name: 'Set up' }))
    await visit.hand.write(section.getByLabel('Your password'), person.password)
    await visit.hand.press(section.getByRole('button', { name: 'Go on' }))
    const secret = (await section.locator('code').textContent()) ?? ''
    await steadyStep()
    await visit.hand.write(section.getByRole('textbox', { name: 'Code' }), totp(secret, Date.now() - 30_000))
    await visit.hand.press(section.getByRole('button', { name: 'Turn it on' }))
    await section.getByText('Signing in needs a code from your app.').waitFor()
    await visit.hand.press(page.getByRole('button', { name: 'Account of Hugo' }))
    await visit.hand.press(page.getByRole('menuitem', { name: 'Sign out' }))
    // the profile that is being left has a field for the e-mail address too
    await page.getByRole('heading', { level: 1, name: /^Sign in/u }).waitFor()
    await signIn(visit, person)
    const code = page.getByRole('textbox', { name: 'Code' })
    await visit.hand.write(code, '000000')
    await visit.hand.press(page.getByRole('button', { name: 'Confirm' }))
    await page.getByRole('alert').waitFor()
    // A code works once. The one that was used above was the one before this.
    await visit.hand.write(code, totp(secret))
    await visit.hand.press(page.getByRole('button', { name: 'Confirm' }))
    await expect.poll(() => isIn(visit)).toBe(true)
  })
})
