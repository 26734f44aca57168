import { randomUUID } from 'node:crypto'
import { totp } from '../service/accounts.ts'
import { dataOf } from '../lib/service.ts'
import { tokenIn } from '../lib/smtp.ts'
import { grant, type Caller, type Person, type Row, type Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const login = ({ anyone, address }: Stage, { email, password }: Pick<Person, 'email' | 'password'>) =>
  anyone.send('POST', '/auth/login', { email, password }, { 'x-client': address() })

const enable = (caller: Caller, secret: string) =>
  caller.send('POST', '/users/me/tfa/enable', { secret, otp: totp(secret) })

const generate = async (caller: Caller, password: string): Promise<string> =>
  (dataOf(await caller.send('POST', '/users/me/tfa/generate', { password })) as { secret: string }).secret

const OWN = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const ownSecret = attack('H11', "a second factor enrolled with the caller's own secret", async (stage, verdict) => {
  const thief = await stage.person([])
  verdict.refused('without a generated secret', await enable(thief, OWN), 400)
  verdict.refused('generate without the password', await thief.send('POST', '/users/me/tfa/generate', {}), 400)
  const wrong = await thief.send('POST', '/users/me/tfa/generate', { password: 'wrong' })
  verdict.refused('generate with a wrong password', wrong, 401)
  const old = await generate(thief, thief.password)
  const secret = await generate(thief, thief.password)
  verdict.refused('beside a generated secret', await enable(thief, OWN), 400)
  verdict.refused('with the secret before', await enable(thief, old), 400)
  const mutation = `mutation { users_me_tfa_enable(secret: "${OWN}", otp: "${totp(OWN)}") }`
  verdict.refused('through GraphQL', await thief.graphql(mutation, { scope: '/graphql/system' }))
  works('login, as no second factor is set up', await login(stage, thief))
  works("the service's secret", await enable(thief, secret))
  verdict.refused('login without the second factor', await login(stage, thief), 401)
})

const enforced = attack('H14', 'data read before the enforced second factor is set up', async (stage, verdict) => {
  const { person, admin } = stage
  const everything = [grant('articles', 'read'), grant('service_users', 'read'), grant('service_roles', 'read')]
  const caller = await person(everything, { enforce_tfa: true })
  works('the own row', await caller.get('/users/me?fields=id,email'))
  const reads = [
    '/users/me?fields=owned.*,role.users.email',
    '/users/me?fields=role.users.email',
    '/users/me?fields=*.*',
    '/users/me?fields=owned.title',
    '/users/me?filter[role][users][email][_starts_with]=a',
    '/users/me?alias[x]=owned&fields=x',
    '/items/articles',
    '/users',
    '/fields',
  ]
  for (const path of reads) verdict.refused(path, await caller.get(path), 403)
  const nested = await caller.graphql('{ users_me { role { users { email } } } }', { scope: '/graphql/system' })
  verdict.refused('GraphQL users_me', nested)
  verdict.refused('GraphQL articles', await caller.graphql('{ articles { id } }'))
  verdict.refused('an update of the own row', await caller.send('PATCH', '/users/me', { first_name: 'x' }), 403)
  dataOf(await admin.send('PATCH', `/policies/${caller.policy}`, { enforce_tfa: false }))
  for (const path of ['/items/articles', '/users/me?fields=owned.*,role.users.email'])
    works(`${path} where it is not enforced`, await caller.get(path))
})

const usedLinks = attack('H13', 'an invitation for another user, and one that was used', async (stage, verdict) => {
  const { admin, anyone, sink, make, person } = stage
  const { role } = await person([])
  const { id: policy } = await make('/policies', { name: 'administrators', admin_access: true })
  const { id: administrators } = await make('/roles', { name: 'administrators', policies: [{ policy }] })
  const email = `${randomUUID()}@example.com`
  const invite = async (): Promise<string> => {
    works('the invitation', await admin.send('POST', '/users/invite', { email, role }))
    return tokenIn(await sink.next(email))
  }
  const idOf = async () => {
    const [row] = dataOf(await admin.get(`/users?filter[email][_eq]=${email}&fields=id`)) as Row[]
    return String(row?.['id'])
  }
  const accept = (token: string, password: string) => anyone.send('POST', '/users/invite/accept', { token, password })

  const first = await invite()
  mustHold('the mail holds a link', first.length > 20)
  works('the user is deleted', await admin.send('DELETE', `/users/${await idOf()}`))
  await make('/users', { email, role: administrators, status: 'invited' })
  verdict.refused('the link of a deleted user', await accept(first, 'a-password-1'))
  verdict.refused('login as the administrator', await login(stage, { email, password: 'a-password-1' }), 401)

  works('that user is deleted', await admin.send('DELETE', `/users/${await idOf()}`))
  const second = await invite()
  works('a link that is good', await accept(second, 'a-password-2'))
  works('login with its password', await login(stage, { email, password: 'a-password-2' }))
  verdict.refused('the link again', await accept(second, 'a-password-3'))
  dataOf(await admin.send('PATCH', `/users/${await idOf()}`, { status: 'invited', role: administrators }))
  verdict.refused('the link again, once invited again', await accept(second, 'a-password-4'))
  verdict.refused('login with that password', await login(stage, { email, password: 'a-password-4' }), 401)
})

export const accountAttacks: readonly Attack[] = [ownSecret, enforced, usedLinks]
