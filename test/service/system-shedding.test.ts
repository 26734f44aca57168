import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, type Answer, type Service } from '../lib/service.ts'

let database: TestDatabase
let service: Service

type Row = Readonly<Record<string, unknown>>

const make = async (path: string, body: unknown) => dataOf(await service.send('POST', path, body)) as { id: string }
const grant = (collection: string, action: string, changes: Row = {}) => ({
  collection,
  action,
  fields: ['*'],
  ...changes,
})
const accounts = ['users', 'roles', 'policies', 'access', 'permissions'].flatMap((name) =>
  ['create', 'read', 'update', 'delete'].map((action) => grant(`service_${name}`, action)),
)
const validation = { title: { _starts_with: 'ok' } }

/** A manager who is bound by a validation on the role two levels above their own. */
interface Stage {
  readonly token: string
  readonly user: string
  readonly roles: { readonly top: string; readonly middle: string; readonly own: string }
  readonly validating: string
  readonly permission: string
  readonly attachment: string
  readonly preset: string
}

async function makeStage(): Promise<Stage> {
  const token = randomUUID()
  const held = grant('notes', 'create', { fields: [], validation })
  const { id: validating } = await make('/policies', { name: 'validating', permissions: [held] })
  const { id: factor } = await make('/policies', { name: 'factor', enforce_tfa: false })
  const presetting = grant('notes', 'update', { fields: ['title'], presets: { status: 'changed' } })
  const { id: preset } = await make('/policies', { name: 'presetting', permissions: [presetting] })
  const open = [grant('notes', 'create'), grant('notes', 'update', { fields: ['title', 'body'] })]
  const { id: opening } = await make('/policies', { name: 'opening', permissions: [...accounts, ...open] })
  const { id: top } = await make('/roles', { name: 'top', policies: [{ policy: validating }, { policy: preset }] })
  const { id: middle } = await make('/roles', { name: 'middle', parent: top, policies: [{ policy: factor }] })
  const { id: own } = await make('/roles', { name: 'own', parent: middle, policies: [{ policy: opening }] })
  const { id: user } = await make('/users', { role: own, token, email: `${randomUUID()}@example.com` })
  const find = async (path: string) => String((dataOf(await service.get(path)) as { id: string | number }[])[0]?.id)
  return {
    token,
    user,
    roles: { top, middle, own },
    validating,
    permission: await find(`/permissions?filter[policy][_eq]=${validating}&fields=id`),
    attachment: await find(`/access?filter[policy][_eq]=${validating}&fields=id`),
    preset,
  }
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Ways to escape a restriction without gaining any new permission. */
const sheds: Readonly<Record<string, (send: Send, stage: Stage) => Promise<Answer>>> = {
  'takes its role from under the other': (send, { roles }) => send('PATCH', `/roles/${roles.own}`, { parent: null }),
  'takes the role above from under the other': (send, { roles }) =>
    send('PATCH', `/roles/${roles.middle}`, { parent: null }),
  'takes it out of the list of children': (send, { roles }) =>
    send('PATCH', `/roles/${roles.middle}`, { children: [] }),
  'deletes the role between': (send, { roles }) => send('DELETE', `/roles/${roles.middle}`),
  'deletes the role that is validated': (send, { roles }) => send('DELETE', `/roles/${roles.top}`),
  'lets the policy count for other addresses': (send, { validating }) =>
    send('PATCH', `/policies/${validating}`, { ip_access: ['203.0.113.7'] }),
  'moves the permission to another collection': (send, { permission }) =>
    send('PATCH', `/permissions/${permission}`, { collection: 'service_roles' }),
  'moves the permission to another action': (send, { permission }) =>
    send('PATCH', `/permissions/${permission}`, { action: 'update' }),
  'moves the permission to another policy': async (send, { permission }) => {
    const { id } = dataOf(await send('POST', '/policies', { name: 'unused' })) as { id: string }
    return send('PATCH', `/permissions/${permission}`, { policy: id })
  },
  'detaches the policy': (send, { attachment }) => send('DELETE', `/access/${attachment}`),
  'attaches it elsewhere': (send, { attachment, user }) => send('PATCH', `/access/${attachment}`, { role: null, user }),
  'deletes the policy': (send, { validating }) => send('DELETE', `/policies/${validating}`),
  'deletes a preset of a field it may not write': (send, { preset }) => send('DELETE', `/policies/${preset}`),
  'gives what it holds without that preset': (send) =>
    send('POST', '/policies', { name: 'x', permissions: [grant('notes', 'update', { fields: ['title'] })] }),
}

beforeAll(async () => {
  database = await createDatabase()
  await database.query(
    `create table notes (id integer generated by default as identity primary key, title text, body text, status text)`,
  )
  service = await openService({ DATABASE_URL: database.url })
})

afterAll(async () => {
  await service.stop()
  await database.drop()
})

describe('whoever is held to a condition by another of their policies', () => {
  let stage: Stage

  beforeEach(async () => {
    stage = await makeStage()
  })

  const isHeld = async () => {
    const answer = await service.send('POST', '/items/notes', { title: 'bad' }, { token: stage.token })
    return codeOf(answer) === 'FAILED_VALIDATION'
  }

  test.each(Object.keys(sheds))('%s: refused, and still held to it', async (name) => {
    const send: Send = (method, path, body) => service.send(method, path, body, { token: stage.token })
    const answer = await sheds[name]?.(send, stage)
    expect([answer?.status, answer === undefined ? undefined : codeOf(answer)]).toEqual([403, 'FORBIDDEN'])
    expect(await isHeld()).toBe(true)
  })

  test('loses a second factor only to who could do all the same', async () => {
    const { id: strict } = await make('/policies', { name: 'strict', enforce_tfa: true })
    const more = { name: 'more', permissions: [grant('notes', 'delete')] }
    const { id: role } = await make('/roles', { name: 'x', policies: [{ policy: strict }, { policy: more }] })
    const send: Send = (method, path, body) => service.send(method, path, body, { token: stage.token })
    expect((await send('DELETE', `/policies/${strict}`)).status).toBe(403)
    expect((await send('DELETE', `/roles/${role}`)).status).toBe(204)
    expect((await send('DELETE', `/policies/${strict}`)).status).toBe(204)
  })

  test('frees others from what does not bind the caller', async () => {
    const free = randomUUID()
    const { id: policy } = await make('/policies', {
      name: 'free',
      permissions: [...accounts, grant('notes', 'create')],
    })
    const { id: role } = await make('/roles', { name: 'free', policies: [{ policy }] })
    await make('/users', { role, token: free, email: `${randomUUID()}@example.com` })
    const { id: inner } = await make('/policies', {
      name: 'inner',
      permissions: [grant('notes', 'create', { fields: ['title'], validation })],
    })
    const { id: top } = await make('/roles', { name: 'a', policies: [{ policy: inner }] })
    const { id: below } = await make('/roles', {
      name: 'b',
      parent: top,
      policies: [{ policy: { name: 'b', permissions: [grant('notes', 'create', { fields: ['title'] })] } }],
    })
    const answer = await service.send('PATCH', `/roles/${below}`, { parent: null }, { token: free })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
  })

  test('is freed by an administrator', async () => {
    expect((await service.send('PATCH', `/roles/${stage.roles.own}`, { parent: null })).status).toBe(200)
    expect(await isHeld()).toBe(false)
  })
})
