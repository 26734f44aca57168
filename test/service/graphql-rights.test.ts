import { afterAll, beforeAll, expect, test } from 'vitest'
import { withRights, type RightsStage } from '../concurrency/permissions.ts'
import { dataOf, type Answer } from '../lib/service.ts'

const FILTERED = 'query ($f: notes_filter) { notes(filter: $f) { id } }'

/** Sends a query to one replica, which learns of changes on the other one through the versions in database results. */
let ask: (query: string, variables?: unknown) => Promise<Answer>
/** Sets the readable fields of the notes, on the other replica. */
let readable: (fields: readonly string[]) => Promise<void>
let setStatus: (status: 'active' | 'suspended') => Promise<void>
let leave: () => void
let left: Promise<void>

beforeAll(async () => {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  leave = resolve
  await new Promise<void>((ready, fail) => {
    left = withRights(2, async (stage) => {
      await enter(stage)
      ready()
      await isOver
    })
    left.catch(fail)
  })
})

afterAll(async () => {
  leave()
  await left
})

async function enter({ services, policy, user }: RightsStage): Promise<void> {
  const [here, there] = services
  if (here === undefined || there === undefined) throw new Error('two replicas are needed')
  const filter = JSON.stringify({ policy: { _eq: policy }, collection: { _eq: 'notes' }, action: { _eq: 'read' } })
  const known = dataOf(await here.send('GET', `/permissions?fields=id&filter=${encodeURIComponent(filter)}`))
  const { id } = (known as { readonly id: number }[])[0] ?? { id: 0 }
  ask = (query, variables) => there.send('POST', '/graphql', { query, variables }, { token: user.token })
  const change = async (path: string, body: object) => {
    const { status, text } = await here.send('PATCH', path, body)
    if (status !== 200) throw new Error(text)
  }
  readable = (fields) => change(`/permissions/${id}`, { fields })
  setStatus = (status) => change(`/users/${user.id}`, { status })
}

const codeOf = ({ body }: Answer) =>
  (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code

test('a field that was given a moment ago may stand in a variable', async () => {
  await readable(['id'])
  const variables = { f: { body: { _eq: 'x' } } }
  expect(codeOf(await ask(FILTERED, variables))).toBe('GRAPHQL_VALIDATION')
  await readable(['id', 'body'])
  expect(await ask(FILTERED, variables)).toMatchObject({ status: 200, body: { data: { notes: [] } } })
})

test('a field that was taken away a moment ago is an unknown one', async () => {
  for (const query of ['{ notes { id body } }', '{ notes_aggregated { count { body } } }']) {
    await readable(['*'])
    expect((await ask(query)).status).toBe(200)
    await readable(['id'])
    const taken = await ask(query)
    expect(taken.status).toBe(400)
    // The error text is identical on a second attempt, as for a caller who never had the field.
    expect(taken.text).toBe((await ask(query)).text)
  }
})

test('the schema is that of the newest rights', async () => {
  const query = '{ __type(name: "notes") { fields { name } } __schema { types { name fields { name } } } }'
  await readable(['*'])
  expect((await ask(query)).text).toContain('"body"')
  await readable(['id'])
  const { status, text } = await ask(query)
  expect(status).toBe(200)
  expect(text).toContain('"notes"')
  expect(text).not.toContain('"body"')
})

test('whoever is suspended is told so at once, by reads and by writes', async () => {
  await readable(['*'])
  for (const query of ['{ notes { id } }', 'mutation { create_notes_item(data: { body: "x" }) { id } }']) {
    await setStatus('active')
    expect((await ask(query)).status).toBe(200)
    await setStatus('suspended')
    const refused = await ask(query)
    expect(refused.status).toBe(401)
    expect(refused.text).toBe((await ask(query)).text)
  }
  await setStatus('active')
})
