import { createHash, randomUUID } from 'node:crypto'
import { createDatabase } from '../lib/databases.ts'
import { claimsOf, cookieHeader, type Tokens } from '../service/accounts.ts'
import { dataOf, openService, TOKEN, type Answer, type Service } from '../lib/service.ts'
import { CLIENT, grant, type Person, type Row, type Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const GUESSES = 27
/** Each failure after the fifth adds a longer delay, so even a slow machine allows few guesses. */
const MOST_TRIED = 12

const post = (service: Service, path: string, body: Row, address?: string): Promise<Answer> =>
  service.send('POST', path, body, {
    token: null,
    ...(address === undefined ? {} : { headers: { [CLIENT]: address } }),
  })

type Account = Pick<Person, 'email' | 'password'>

const login = (service: Service, { email, password }: Account, address: string, more: Row = {}): Promise<Answer> =>
  post(service, '/auth/login', { email, password, ...more }, address)

const tokensOf = async ({ service, address }: Stage, account: Account): Promise<Tokens> =>
  dataOf(await login(service, account, address())) as Tokens

async function guess(service: Service, { email }: Account, address: string): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let attempt = 0; attempt < GUESSES; attempt += 1)
    answers.push(await login(service, { email, password: `wrong ${attempt}` }, address))
  return answers
}

const lockout = attack('H1a', '27 wrong passwords for the only administrator', async (stage, verdict) => {
  const { address, dialect } = stage
  const database = await createDatabase(dialect)
  const account = { email: 'root@example.com', password: 'root-password' }
  const environment = {
    DATABASE_URL: database.url,
    IP_CUSTOM_HEADER: CLIENT,
    LOGIN_STALL_TIME: '0',
    ADMIN_EMAIL: account.email,
    ADMIN_PASSWORD: account.password,
  }
  const check = async (service: Service, when: string) => {
    verdict.holds(`${when} the right password fails`, (await login(service, account, address())).status === 200)
    verdict.holds(`${when} the static token fails`, (await service.get('/users/me')).status === 200)
  }
  try {
    const service = await openService(environment)
    works('the right password', await login(service, account, address()))
    works('the static token', await service.get('/users/me'))
    await guess(service, account, address())
    await check(service, 'afterwards')
    await service.stop()
    const again = await openService(environment).catch((error: unknown) => String(error))
    if (typeof again === 'string') {
      verdict.holds(`the restart fails: ${again.slice(0, 300)}`, false)
      return
    }
    await check(again, 'after a restart')
    const hash = createHash('sha256').update(TOKEN).digest('hex')
    verdict.holds('the log shows the hash of the token', !again.log().includes(hash))
    await again.stop()
  } finally {
    await database.drop()
  }
})

const suspension = attack('H1b', 'wrong passwords against an account with sessions', async (stage, verdict) => {
  const { service, person, address, callerWith, admin } = stage
  const victim = await person([grant('articles', 'read')])
  const { access_token: access, refresh_token: refresh } = await tokensOf(stage, victim)
  works('the access token', await callerWith(access).get('/items/articles'))
  const answers = await guess(service, victim, address())
  verdict.holds(
    'a wrong password was accepted',
    answers.every(({ status }) => [401, 429].includes(status)),
  )
  const tried = answers.filter(({ status }) => status === 401).length
  mustHold('some passwords were tried', tried >= 5)
  verdict.holds(`${tried} of ${GUESSES} passwords were tried`, tried <= MOST_TRIED)
  const delays = answers.filter(({ status }) => status === 429)
  verdict.holds(
    'a delay does not say how long it is',
    delays.every(({ headers }) => Number(headers.get('retry-after')) > 0),
  )
  for (const [what, token] of Object.entries({ access, static: victim.token }))
    verdict.holds(`the ${what} token has ended`, (await callerWith(token).get('/items/articles')).status === 200)
  const renewed = await post(service, '/auth/refresh', { refresh_token: refresh }, address())
  verdict.holds('the refresh token has ended', renewed.status === 200)
  const { status } = dataOf(await admin.get(`/users/${victim.id}?fields=status`)) as Row
  verdict.holds(`the account is ${String(status)}`, status === 'active')
  const elsewhere = await login(service, victim, address())
  verdict.holds('the right password fails at another address', elsewhere.status === 200)
})

const afterLogout = attack('H12a', 'an access token after its logout', async (stage, verdict) => {
  const { service, person, address, callerWith } = stage
  const victim = await person([grant('articles', 'read')])
  const [mine, other] = [await tokensOf(stage, victim), await tokensOf(stage, victim)]
  const read = ({ access_token: token }: Tokens) => callerWith(token).get('/items/articles')
  works('the token before', await read(mine))
  works('the logout', await post(service, '/auth/logout', { refresh_token: mine.refresh_token }, address()))
  verdict.refused('the access token', await read(mine), 401)
  const renewed = await post(service, '/auth/refresh', { refresh_token: mine.refresh_token }, address())
  verdict.refused('the refresh token', renewed, 401)
  works('the token of another login', await read(other))
})

const afterTheft = attack('H12b', 'the access token of a stolen refresh token', async (stage, verdict) => {
  const { service, person, address, callerWith } = stage
  const victim = await person([grant('articles', 'read')])
  const first = await tokensOf(stage, victim)
  const refresh = (token: string) => post(service, '/auth/refresh', { refresh_token: token, mode: 'json' }, address())
  const stolen = dataOf(await refresh(first.refresh_token)) as Tokens
  const read = ({ access_token: token }: Tokens) => callerWith(token).get('/items/articles')
  works('the thief before', await read(stolen))
  verdict.refused('the victim with the used token', await refresh(first.refresh_token), 401)
  verdict.refused('the access token of the thief', await read(stolen), 401)
  verdict.refused('the refresh token of the thief', await refresh(stolen.refresh_token), 401)
})

const foreignOrigin = attack('H15', 'a cookie used by another site', async (stage, verdict) => {
  const { service, person, address } = stage
  const victim = await person([])
  for (const body of [{ refresh_token: null }, { refresh_token: null, mode: null }, {}])
    for (const path of ['/auth/refresh', '/auth/logout']) {
      const cookie = cookieHeader(works('login', await login(service, victim, address(), { mode: 'cookie' })))
      const send = (headers: Readonly<Record<string, string>>) =>
        service.send('POST', path, body, { token: null, headers: { cookie, ...headers } })
      const what = `${path} ${JSON.stringify(body)}`
      verdict.refused(what, await send({ origin: 'https://evil.example.com' }), 403)
      verdict.refused(`${what} by the browser's word`, await send({ 'sec-fetch-site': 'cross-site' }), 403)
      works(`${what} by the own site`, await send({ origin: service.url }))
    }
})

const innerToken = attack('H16', 'the token inside a session cookie as a refresh token', async (stage, verdict) => {
  const { service, person, address } = stage
  const victim = await person([])
  const cookie = cookieHeader(works('login', await login(service, victim, address(), { mode: 'session' })))
  const inner = String(claimsOf(cookie)['session'])
  mustHold('the cookie holds a token', inner.length > 20)
  verdict.refused('in the body', await post(service, '/auth/refresh', { refresh_token: inner, mode: 'json' }), 401)
  const asCookie = { token: null, headers: { cookie: `service_refresh_token=${inner}` } }
  verdict.refused('as a cookie', await service.send('POST', '/auth/refresh', { mode: 'cookie' }, asCookie), 401)
  const session = { token: null, headers: { cookie } }
  works('the cookie itself', await service.send('POST', '/auth/refresh', { mode: 'session' }, session))
})

const shortTokens = attack('H19a', 'a static token that is short', async ({ admin, person }, verdict) => {
  const { id } = await person([])
  for (const token of ['', '1', 'x'.repeat(11)]) {
    verdict.refused(`create with ${JSON.stringify(token)}`, await admin.send('POST', '/users', { token }), 400)
    verdict.refused(`update to ${JSON.stringify(token)}`, await admin.send('PATCH', `/users/${id}`, { token }), 400)
    const mutation = `mutation { update_users_item(id: "${id}", data: { token: "${token}" }) { id } }`
    verdict.refused(`GraphQL ${JSON.stringify(token)}`, await admin.graphql(mutation, { scope: '/graphql/system' }))
  }
  works('twelve characters', await admin.send('PATCH', `/users/${id}`, { token: randomUUID().slice(0, 12) }))
})

const tokenGuesses = attack('H19b', 'static tokens guessed without end', async (stage, verdict) => {
  const { service, person, address } = stage
  const { token } = await person([])
  const from = (client: string, guessed: string) =>
    service.get('/users/me', { token: guessed, headers: { [CLIENT]: client } })
  const here = address()
  const statuses = new Set<number>()
  for (let round = 0; round < 32; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => from(here, randomUUID())))
    for (const { status } of answers) statuses.add(status)
  }
  verdict.holds(`320 guesses answered ${[...statuses].join()}`, statuses.has(429) && !statuses.has(200))
  verdict.refused('the right token at that address', await from(here, token), 429)
  works('the right token elsewhere', await from(address(), token))
})

const manyNetworks = attack('H19c', 'requests from every network of an IPv6 /48', ({ withService }, verdict) =>
  withService(
    { RATE_LIMITER_ENABLED: 'true', RATE_LIMITER_POINTS: '2', RATE_LIMITER_DURATION: '60' },
    async (service) => {
      const from = (client: string) => service.get('/server/ping', { headers: { [CLIENT]: client } })
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, network) => from(`2001:db8:1:${network.toString(16)}::1`)),
      )
      const taken = answers.filter(({ status }) => status === 200).length
      verdict.holds(`${taken} of 60 requests from 60 networks were taken`, taken <= 32)
      works('another site', await from('2001:db8:2::1'))
    },
  ),
)

export const loginAttacks: readonly Attack[] = [
  lockout,
  suspension,
  afterLogout,
  afterTheft,
  foreignOrigin,
  innerToken,
  shortTokens,
  tokenGuesses,
  manyNetworks,
]
