// What the clients of npm run verify soak do.
import { authorization } from '../measurements/service.ts'
import type { Rng } from '../random/rng.ts'

const ROWS = 500
const EMAIL = 'soak@example.com'
const PASSWORD = 'a-long-password-for-the-soak'

export const tables = `
  create table authors (id integer primary key, name text not null);
  create table books (id integer primary key, title text not null, author integer references authors (id), pages integer);
  insert into authors select n, 'author ' || n from generate_series(1, 50) n;
  insert into books select n, 'book ' || n, n % 50 + 1, n from generate_series(1, ${ROWS}) n`

export type Action = (url: string, rng: Rng) => Promise<{ readonly status: number; readonly text: string }>

async function send(url: string, method: string, path: string, body?: object) {
  const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await fetch(`${url}${path}`, init)
  return { status: answer.status, text: await answer.text() }
}

/** The account that logs in. */
export async function account(url: string): Promise<void> {
  const { status, text } = await send(url, 'POST', '/users', { email: EMAIL, password: PASSWORD })
  if (status !== 200) throw new Error(`no account: ${status} ${text}`)
}

const change: { isAdded: boolean; isRunning: boolean } = { isAdded: false, isRunning: false }

/** Adds a field, and removes it the next time; clients do so one at a time. */
const changeSchema: Action = async (url, rng) => {
  if (change.isRunning) return read(url, rng)
  change.isRunning = true
  try {
    const field = { field: 'extra', type: 'string', schema: {} }
    const answer = change.isAdded
      ? await send(url, 'DELETE', '/fields/authors/extra')
      : await send(url, 'POST', '/fields/authors', field)
    change.isAdded = !change.isAdded
    return answer
  } finally {
    change.isRunning = false
  }
}

const read: Action = (url, rng) => send(url, 'GET', `/items/books/${rng.int(1, ROWS)}`)

const graphql: Action = (url, rng) => {
  const query = `{ books(limit: 5, filter: { id: { _gt: ${rng.int(1, ROWS)} } }) { id title author { name } } }`
  return send(url, 'POST', '/graphql', { query })
}

const login: Action = async (url) => {
  const answer = await send(url, 'POST', '/auth/login', { email: EMAIL, password: PASSWORD })
  if (answer.status !== 200) return answer
  const { data } = JSON.parse(answer.text) as { data: { refresh_token: string } }
  return send(url, 'POST', '/auth/logout', { refresh_token: data.refresh_token })
}

export const actions: Readonly<Record<string, { readonly weight: number; readonly act: Action }>> = {
  read: { weight: 40, act: read },
  nested: {
    weight: 20,
    act: (url, rng) => send(url, 'GET', `/items/books?fields=*,author.*&sort=id&limit=20&page=${rng.int(1, 20)}`),
  },
  filter: {
    weight: 10,
    act: (url, rng) => send(url, 'GET', `/items/books?filter[pages][_lt]=${rng.int(1, ROWS)}&limit=10&meta=*`),
  },
  graphql: { weight: 15, act: graphql },
  write: {
    weight: 12,
    act: (url, rng) => send(url, 'PATCH', `/items/books/${rng.int(1, ROWS)}`, { pages: rng.int(1, 1000) }),
  },
  login: { weight: 2, act: login },
  schema: { weight: 0.3, act: changeSchema },
}
