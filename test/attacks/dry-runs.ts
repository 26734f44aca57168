import { randomUUID } from 'node:crypto'
import { dataOf, TOKEN, until, type Answer } from '../lib/service.ts'
import type { Row, Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

type Headers = Readonly<Record<string, string>>

const PREFER: Headers = { prefer: 'tx=rollback' }
const scope = '/graphql/system'

async function importRows({ service }: Stage, headers: Headers): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([`[{"text":"${randomUUID()}"}]`], { type: 'application/json' }), 'rows.json')
  const response = await fetch(`${service.url}/utils/import/comments`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}

/** A revision that is no longer the item's latest. */
async function oldRevision({ admin, make }: Stage): Promise<string> {
  const { id } = await make('/items/articles', { title: 'first' })
  dataOf(await admin.send('PATCH', `/items/articles/${id}`, { title: 'second' }))
  const path = `/revisions?filter[collection][_eq]=articles&filter[item][_eq]=${id}&sort=id&limit=1&fields=id`
  return String((dataOf(await admin.get(path)) as Row[])[0]?.['id'])
}

const anyRole = async ({ person }: Stage): Promise<string> => (await person([])).role

const guest = () => `${randomUUID()}@example.com`

/** Calls that change data, by name. Each is prepared first, then sent with and without the header. */
const calls: Readonly<Record<string, (stage: Stage) => Promise<(headers: Headers) => Promise<Answer>>>> = {
  'REST revert': async (stage) => {
    const revision = await oldRevision(stage)
    return (headers) => stage.admin.send('POST', `/utils/revert/${revision}`, undefined, headers)
  },
  'REST import': async (stage) => (headers) => importRows(stage, headers),
  'REST sort':
    async ({ admin }) =>
    (headers) =>
      admin.send('POST', '/utils/sort/articles', { item: 3, to: 1 }, headers),
  'REST invite': async (stage) => {
    const body = { email: guest(), role: await anyRole(stage) }
    return (headers) => stage.admin.send('POST', '/users/invite', body, headers)
  },
  'GraphQL utils_revert': async (stage) => {
    const revision = await oldRevision(stage)
    return (headers) => stage.admin.graphql(`mutation { utils_revert(revision: "${revision}") }`, { scope, headers })
  },
  'GraphQL utils_sort':
    async ({ admin }) =>
    (headers) =>
      admin.graphql('mutation { utils_sort(collection: "articles", item: "2", to: "1") }', { scope, headers }),
  'GraphQL users_invite': async (stage) => {
    const role = await anyRole(stage)
    const mutation = `mutation { users_invite(email: "${guest()}", role: "${role}") }`
    return (headers) => stage.admin.graphql(mutation, { scope, headers })
  },
}

export const dryRunAttacks: readonly Attack[] = Object.entries(calls).map(([what, prepare], index) =>
  attack(`H9${String.fromCodePoint(97 + index)}`, `a dry run that is kept: ${what}`, async (stage, verdict) => {
    const call = await prepare(stage)
    const mails = stage.sink.mails.length
    const before = await stage.rows()
    const dry = await call(PREFER)
    const isApplied = dry.headers.get('preference-applied') === 'tx=rollback'
    if (!isApplied) verdict.refused('neither honoured nor refused', dry)
    verdict.holds(`rows were kept: ${dry.status}`, (await stage.rows()) === before)
    works('the call itself', await call({}))
    mustHold('the call itself changes something', (await stage.rows()) !== before)
    // Mails are sent in order: once the control's mail has arrived, one of the dry run would have arrived too.
    const expected = mails + (what.includes('invite') ? 1 : 0)
    await until(() => stage.sink.mails.length >= expected, 10, 'the mail of the control')
    verdict.holds('something was mailed', stage.sink.mails.length === expected)
  }),
)
