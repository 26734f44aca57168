// npm run verify timing: whether the response time reveals if an account exists.
import { randomInt, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { Client } from 'pg'
import { hashText } from '../../packages/server/src/lib/argon2.ts'
import { stop, withDatabase } from '../lib/throwaway.ts'
import { startSmtpSink } from '../lib/smtp.ts'
import { median, untilReady, withService, type Figure, type Service } from './service.ts'

interface TimingOptions {
  /** Pairs of one request for an existing account and one for a missing account. */
  readonly pairs: number
  /** Milliseconds. */
  readonly bound: number
  /** A gap up to this share of the total time is also allowed: few pairs on a busy machine are not more precise. */
  readonly share: number
}

/** Each account gets so few mails that all of them are sent. */
const PAIRS_PER_ACCOUNT = 5
const WARM_UP = 20

/** The minimum duration is nearly zero here: this measures the work itself, with the real cost of a password hash. */
export const timing = (options: TimingOptions): Promise<readonly Figure[]> =>
  withDatabase('timing', async (url) => {
    const sink = await startSmtpSink()
    const environment = {
      DATABASE_URL: url,
      SECRET: randomUUID(),
      PUBLIC_URL: 'https://api.example.com',
      LOGIN_STALL_TIME: '1',
      RATE_LIMITER_LOGIN_POINTS: '1000000',
      RATE_LIMITER_ACCOUNT_POINTS: '1000000',
      EMAIL_TRANSPORT: 'smtp',
      EMAIL_SMTP_HOST: '127.0.0.1',
      EMAIL_SMTP_PORT: String(sink.port),
      LOG_LEVEL: 'warn',
    }
    try {
      return await withService(environment, async (service) => {
        await untilReady(service)
        const accounts = await makeAccounts(url, Math.ceil((options.pairs + WARM_UP) / PAIRS_PER_ACCOUNT))
        const login = (email: string) => ({ path: '/auth/login', body: { email, password: 'wrong' }, status: 401 })
        const reset = (email: string) => ({ path: '/auth/password/request', body: { email }, status: 204 })
        const figures = [
          ...(await compare('a failed sign-in', login, accounts, service, options)),
          ...(await compare('a request for a new password', reset, accounts, service, options)),
        ]
        await stop(service.child)
        return [
          ...figures,
          { what: 'mails sent meanwhile', value: sink.mails.length, unit: 'mails', bound: { atLeast: options.pairs } },
        ]
      })
    } finally {
      await sink.close()
    }
  })

async function makeAccounts(url: string, count: number): Promise<readonly string[]> {
  const emails = Array.from({ length: count }, () => `${randomUUID()}@example.com`)
  const hash = await hashText('the-password')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      'insert into tain.service_users (id, email, password) select gen_random_uuid(), email, $2 from unnest($1::text[]) as email',
      [emails, hash],
    )
    await client.query(
      'insert into tain.service_settings (id, auth_login_attempts) values (1, null) on conflict (id) do update set auth_login_attempts = null',
    )
    await client.query('update tain.service_version set rights = rights + 1')
  } finally {
    await client.end()
  }
  return emails
}

interface Question {
  readonly path: string
  readonly body: object
  readonly status: number
}

async function compare(
  what: string,
  question: (email: string) => Question,
  accounts: readonly string[],
  service: Service,
  { pairs, bound, share }: TimingOptions,
): Promise<readonly Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Readonly<Record<Kind, number[]>> = { present: [], absent: [], control: [] }
  for (let round = -WARM_UP; round < pairs; round += 1) {
    const account = accounts[(round + WARM_UP) % accounts.length] ?? ''
    for (const kind of shuffled(kinds)) {
      const email = kind === 'present' ? account : `${randomUUID()}@example.com`
      const time = await ask(question(email), service, agent)
      if (round >= 0) times[kind].push(time)
    }
  }
  agent.destroy()
  const atMost = Math.max(bound, share * median(times.absent))
  const gap = (kind: Kind) => Math.abs(median(times[kind].map((time, index) => time - (times.absent[index] ?? 0))))
  return [
    { what: `${what}: median, account exists`, value: median(times.present), unit: 'ms' },
    { what: `${what}: median, account does not`, value: median(times.absent), unit: 'ms' },
    { what: `${what}: gap of two that do not, which is noise`, value: gap('control'), unit: 'ms' },
    { what: `${what}: median gap of ${pairs} pairs`, value: gap('present'), unit: 'ms', bound: { atMost } },
  ]
}

/** The gap between two kinds of missing accounts is the noise level. */
const kinds = ['present', 'absent', 'control'] as const
type Kind = (typeof kinds)[number]

const shuffled = <T>(entries: readonly T[]): T[] =>
  entries
    .map((entry) => ({ entry, place: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ entry }) => entry)

function ask({ path, body, status }: Question, { port }: Service, agent: Agent): Promise<number> {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === status) resolve(performance.now() - began)
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
    })
      .once('error', reject)
      .end(text)
  })
}
