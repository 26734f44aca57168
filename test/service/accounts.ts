import { createHmac, randomUUID } from 'node:crypto'
import { hashToken } from '../../packages/server/src/auth/authenticate.ts'
import { hashText } from '../../packages/server/src/lib/argon2.ts'
import type { TestDatabase } from '../lib/databases.ts'
import { dataOf, SECRET, type Answer, type RequestOptions, type Service } from '../lib/service.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
  readonly role: string | null
}

export interface PersonOptions {
  readonly status?: string
  readonly role?: string | null
  readonly provider?: string
  readonly email?: string
}

const text = (value: string | null) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)

export const raiseRights = (database: TestDatabase) =>
  database.query('update tain.service_version set rights = rights + 1')

/** Inserts a user directly into the tables, with a password and a static token. */
export async function makePerson(database: TestDatabase, options: PersonOptions = {}): Promise<Person> {
  const { status = 'active', role = null, provider = 'default' } = options
  const id = randomUUID()
  const email = options.email ?? `Person-${id}@example.com`
  const [password, token] = [`password-${randomUUID()}`, `token-${randomUUID()}`]
  const values = [id, email, await hashText(password), hashToken(token), status, role, provider].map(text)
  await database.query(
    `insert into tain.service_users (id, email, password, token, status, role, provider) values (${values.join()})`,
  )
  await raiseRights(database)
  return { id, email, password, token, role }
}

export interface RoleOptions {
  readonly isAdmin?: boolean
  readonly enforcesTfa?: boolean
  readonly addresses?: readonly string[]
  /** Collections with read permission. `create service_users` and the like grant other actions. */
  readonly grants?: readonly string[]
}

/** A role with one policy. */
export async function makeRole(database: TestDatabase, options: RoleOptions = {}): Promise<string> {
  const { isAdmin = false, enforcesTfa = false, addresses = [], grants = ['tags'] } = options
  const [role, policy] = [randomUUID(), randomUUID()]
  const list = addresses.length === 0 ? 'null' : text(JSON.stringify(addresses))
  await database.query(`
    insert into tain.service_roles (id, name) values ('${role}', 'role');
    insert into tain.service_policies (id, name, admin_access, enforce_tfa, ip_access)
      values ('${policy}', 'policy', ${isAdmin}, ${enforcesTfa}, ${list});
    insert into tain.service_access (id, role, policy) values ('${randomUUID()}', '${role}', '${policy}');`)
  for (const grant of grants) {
    const [action, collection] = grant.includes(' ') ? grant.split(' ') : ['read', grant]
    await database.query(
      `insert into tain.service_permissions (policy, collection, action, fields)
        values ('${policy}', '${collection}', '${action}', '["*"]')`,
    )
  }
  await raiseRights(database)
  return role
}

/** Rows of service tables as one string to compare. */
export const contentOf = async (database: TestDatabase, selects: readonly string[]): Promise<string> => {
  const found: unknown[] = []
  for (const select of selects) found.push(await database.query(select))
  return JSON.stringify(found)
}

export const setSettings = async (database: TestDatabase, values: string): Promise<void> => {
  await database.query('insert into tain.service_settings (id) values (1) on conflict do nothing')
  await database.query(`update tain.service_settings set ${values}`)
}

type Body = Readonly<Record<string, unknown>>

/** Sends no token unless one is given. */
export const post = (service: Service, path: string, body?: Body, options: RequestOptions = {}) =>
  service.send('POST', path, body ?? {}, { token: null, ...options })

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires: number
}

export const login = (service: Service, { email, password }: Pick<Person, 'email' | 'password'>, body: Body = {}) =>
  post(service, '/auth/login', { email, password, ...body })

export const tokensOf = async (service: Service, person: Person): Promise<Tokens> =>
  dataOf(await login(service, person)) as Tokens

export const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

export const cookiesOf = ({ headers }: Answer): string[] => headers.getSetCookie()

/** The Cookie header that a browser would send back. */
export const cookieHeader = (answer: Answer): string =>
  cookiesOf(answer)
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ')

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

export const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>

/** A token with arbitrary content, signed with the given key and hash. */
export function forge(
  claims: unknown,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
  key: string = SECRET,
  hash = 'sha256',
): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An independent implementation of RFC 6238, to check the service's implementation against. */
export function totp(secret: string, now = Date.now()): string {
  const bits = secret
    .split('')
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Waits until the current code stays valid for a while, for tests that need it more than once. */
export async function steadyStep(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 8000) await new Promise((resolve) => setTimeout(resolve, left + 10))
}
