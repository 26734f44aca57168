import { expect, test } from 'vitest'
import { steadyStep, totp } from '../service/accounts.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test('a profile that is read again keeps what was typed', async () => {
  const { page } = await world.visitAs('administrator', { path: '/settings/profile' })
  const location = page.getByRole('textbox', { name: 'Location' })
  await location.fill('Lisbon')
  const section = page.getByRole('region', { name: 'Second factor' })
  await section.getByRole('button', { name: 'Set up' }).click()
  await section.getByLabel('Your password').fill(world.people.administrator.password)
  await section.getByRole('button', { name: 'Go on' }).click()
  const secret = (await section.locator('code').textContent()) ?? ''
  await steadyStep()
  await section.getByRole('textbox', { name: 'Code' }).fill(totp(secret))
  await section.getByRole('button', { name: 'Turn it on' }).click()
  await section.getByText('Signing in needs a code from your app.').waitFor()
  expect(await location.inputValue()).toBe('Lisbon')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your profile is saved.').waitFor()
  expect(await location.inputValue()).toBe('Lisbon')
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
})
