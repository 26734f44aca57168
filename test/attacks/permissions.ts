import { randomUUID } from 'node:crypto'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { grant, type Caller, type Row, type Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const accounts = ['users', 'roles', 'policies', 'access', 'permissions'].flatMap((name) =>
  ['create', 'read', 'update', 'delete'].map((action) => grant(`service_${name}`, action)),
)

/** An account manager whose articles are validated by a policy of the role two levels above. */
interface HeldPolicies {
  readonly caller: Caller
  readonly roles: Readonly<Record<'middle' | 'own', string>>
  readonly validating: string
  readonly permission: string
  readonly attachment: string
}

async function makeHeld({ make, callerWith, admin }: Stage): Promise<HeldPolicies> {
  const token = randomUUID()
  const validation = { title: { _starts_with: 'ok' } }
  const { id: validating } = await make('/policies', {
    name: 'validating',
    permissions: [grant('articles', 'create', { fields: [], validation })],
  })
  const { id: opening } = await make('/policies', {
    name: 'opening',
    permissions: [...accounts, grant('articles', 'create')],
  })
  const { id: top } = await make('/roles', { name: 'top', policies: [{ policy: validating }] })
  const { id: middle } = await make('/roles', { name: 'middle', parent: top })
  const { id: own } = await make('/roles', { name: 'own', parent: middle, policies: [{ policy: opening }] })
  await make('/users', { role: own, token, email: `${randomUUID()}@example.com` })
  const find = async (path: string) => String((dataOf(await admin.get(path)) as Row[])[0]?.['id'])
  return {
    caller: callerWith(token),
    roles: { middle, own },
    validating,
    permission: await find(`/permissions?filter[policy][_eq]=${validating}&fields=id`),
    attachment: await find(`/access?filter[policy][_eq]=${validating}&fields=id`),
  }
}

type Shed = (as: Caller, held: HeldPolicies) => Promise<Answer>

/** Ways to escape the validation; none of them grants a permission. */
const sheds: Readonly<Record<string, Shed>> = {
  "the own role's parent": (as, { roles }) => as.send('PATCH', `/roles/${roles.own}`, { parent: null }),
  'its parent, through GraphQL': (as, { roles }) =>
    as.graphql(`mutation { update_roles_item(id: "${roles.own}", data: { parent: null }) { id } }`, {
      scope: '/graphql/system',
    }),
  'the middle role deleted': (as, { roles }) => as.send('DELETE', `/roles/${roles.middle}`),
  'the policy for other addresses': (as, { validating }) =>
    as.send('PATCH', `/policies/${validating}`, { ip_access: ['203.0.113.7'] }),
  // The collection has the validated field; a rule on a missing field would be rejected for that reason alone.
  'the permission moved to another collection': (as, { permission }) =>
    as.send('PATCH', `/permissions/${permission}`, { collection: 'service_users' }),
  'the permission moved to another action': (as, { permission }) =>
    as.send('PATCH', `/permissions/${permission}`, { action: 'update' }),
  'the policy detached': (as, { attachment }) => as.send('DELETE', `/access/${attachment}`),
  'the policy deleted': (as, { validating }) => as.send('DELETE', `/policies/${validating}`),
}

const shedAttacks: readonly Attack[] = Object.entries(sheds).map(([way, shed], index) =>
  attack(`H6${String.fromCodePoint(97 + index)}`, `a validation shed: ${way}`, async (stage, verdict) => {
    const held = await makeHeld(stage)
    const write = (title: string) => held.caller.send('POST', '/items/articles', { title })
    works('a valid item', await write('ok'))
    mustHold('an invalid item is refused before', codeOf(await write('bad')) === 'FAILED_VALIDATION')
    verdict.refused(way, await shed(held.caller, held))
    verdict.refused('an invalid item afterwards', await write('bad'), 400)
    works(`${way}, by an administrator`, await shed(stage.admin, held))
    works('an invalid item, once the validation has gone', await write('bad'))
  }),
)

const shownValues = attack('H7', 'values that a validation reads, in its refusal', async (stage, verdict) => {
  const { person } = stage
  const secret = 'confidential-note-4711'
  const writer = (validation: Row) => person([grant('articles', 'create', { validation })], {}, { description: secret })
  for (const operand of [
    { _eq: '$CURRENT_USER.description' },
    { _neq: '$CURRENT_USER.description' },
    { _in: ['a', '$CURRENT_USER.description'] },
    { _starts_with: '$CURRENT_USER.description' },
  ]) {
    const caller = await writer({ status: operand })
    const what = JSON.stringify(operand)
    const isNegated = '_neq' in operand
    const [bad, good] = isNegated ? [secret, 'guess'] : ['guess', secret]
    const rest = await caller.send('POST', '/items/articles', { status: bad })
    verdict.refused(what, rest, 400)
    const mutation = `mutation { create_articles_item(data: { status: "${bad}" }) { id } }`
    const graphql = await caller.graphql(mutation)
    verdict.refused(`${what} through GraphQL`, graphql)
    if (!isNegated) verdict.holds(`${what} shows the value`, !`${rest.text}${graphql.text}`.includes('confidential'))
    works(`${what} that is met`, await caller.send('POST', '/items/articles', { status: good }))
  }
  const literal = await writer({ status: { _in: ['draft', 'published'] } })
  const { text } = await literal.send('POST', '/items/articles', { status: 'x' })
  mustHold('a refusal shows what a rule says itself', text.includes('published'))
})

const eitherOr = { _or: [{ status: { _eq: 'draft' } }, { place: { _eq: 99 } }] }

const unsent = attack('H8a', 'a branch of _or on a field that is not sent', async ({ person }, verdict) => {
  const rules = ['create', 'update'].map((action) => grant('articles', action, { validation: eitherOr }))
  const caller = await person([...rules, grant('articles', 'read')])
  const writes: Readonly<Record<string, (body: Row) => Promise<Answer>>> = {
    create: (body) => caller.send('POST', '/items/articles', body),
    update: (body) => caller.send('PATCH', '/items/articles/1', body),
    'create through GraphQL': (data) =>
      caller.graphql('mutation ($data: create_articles_input!) { create_articles_item(data: $data) { id } }', {
        variables: { data },
      }),
  }
  for (const [what, write] of Object.entries(writes)) {
    verdict.refused(what, await write({ status: 'published' }))
    works(`${what} of the one branch`, await write({ status: 'draft' }))
    works(`${what} of the other branch`, await write({ status: 'published', place: 99 }))
  }
})

const badRules: readonly Row[] = [
  { validation: { _nor: [{ status: { _eq: 'published' } }] } },
  { validation: { statuss: { _eq: 'draft' } } },
  { validation: { _or: [{ status: { _eq: 'draft' } }, { _and: [{ statuss: { _eq: 'x' } }] }] } },
  { validation: { status: { _eqq: 'draft' } } },
  { permissions: { _nor: [{ status: { _eq: 'published' } }] } },
  { permissions: { statuss: { _eq: 'draft' } } },
  { presets: { statuss: 'draft' } },
]

const unknownNames = attack('H8b', 'rules with unknown groups and misspelt fields', async (stage, verdict) => {
  const { admin, make } = stage
  const { id: policy } = await make('/policies', { name: 'p' })
  const good = grant('articles', 'create', { validation: { status: { _eq: 'draft' } } })
  const { id } = await make('/permissions', { policy, ...good })
  for (const rule of badRules) {
    const what = JSON.stringify(rule)
    const body = grant('articles', 'create', rule)
    verdict.refused(`create ${what}`, await admin.send('POST', '/permissions', { policy, ...body }), 400)
    verdict.refused(`update to ${what}`, await admin.send('PATCH', `/permissions/${id}`, rule), 400)
    const nested = { name: 'p', permissions: [body] }
    verdict.refused(`in a policy ${what}`, await admin.send('POST', '/policies', nested), 400)
    const mutation =
      'mutation ($data: update_service_permissions_input!) { update_permissions_item(id: "ID", data: $data) { id } }'
    const options = { scope: '/graphql/system', variables: { data: rule } }
    verdict.refused(`GraphQL ${what}`, await admin.graphql(mutation.replace('ID', id), options))
  }
  const mutation = `mutation { update_permissions_item(id: "${id}", data: { validation: { status: { _eq: "x" } } }) { id } }`
  works('a rule that names what is there', await admin.graphql(mutation, { scope: '/graphql/system' }))
})

export const permissionAttacks: readonly Attack[] = [...shedAttacks, shownValues, unsent, unknownNames]
