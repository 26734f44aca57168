import { MASK, forbidden, invalidPayload } from '@tain/contract'
import { settings, users } from '@tain/contract/collections'
import { hashToken } from '../../auth/authenticate.ts'
import type { ChangedRow } from '../../changes/change.ts'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { isEmailAddress } from '../../lib/email-address.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Payload } from '../../query/mutation.ts'
import { isPassword } from '../../auth/password-policy.ts'
import { failed, isNew, keyOf, replace, sent } from './sent.ts'

export const statuses = ['draft', 'invited', 'unverified', 'active', 'suspended', 'archived'] as const

/** Columns that identify a user or serve as credentials. */
const credentials = [
  'email',
  'password',
  'token',
  'status',
  'provider',
  'external_identifier',
  'auth_data',
  'tfa_secret',
]

/** Minimum characters of a static token; shorter ones that were set before still work. */
const LEAST_TOKEN = 12

const secrets = ['password', 'token', 'tfa_secret', 'auth_data']

export const userGuard: Guard = {
  permissionFields: new Set(['role', ...credentials]),

  async before(nodes, context) {
    const known = await knownUsers(nodes, context)
    // Setting the password or the status of a user clears the failed logins, even if the value stays the same.
    const readmitted = nodes
      .filter(({ values }) => values.has('password') || values.has('status'))
      .flatMap((node) => keyOf(node) ?? [])
    for (const node of nodes) {
      dropUnchanged(node, known.get(keyOf(node) ?? ''))
      checkPlainly(node)
      checkProvider(node, context)
      checkToken(node, context)
    }
    await checkPasswords(nodes, context)
    await context.clearLoginFailures(readmitted)
  },

  async after(changes, context) {
    const changed = (isMeant: (delta: Payload) => boolean) =>
      changes.filter((change) => change.action === 'update' && isMeant(deltaOf(change))).map(({ key }) => key[0] ?? '')
    await context.endSessions(
      changed(({ status }) => status !== undefined && status !== 'active'),
      false,
    )
    await context.endSessions(
      changed(({ password, email }) => password !== undefined || email !== undefined),
      true,
    )
  },
}

export const deltaOf = ({ delta }: ChangedRow): Payload => JSON.parse(delta ?? '{}') as Payload

async function knownUsers(nodes: readonly WriteNode[], { rows }: GuardContext): Promise<Map<string, Payload>> {
  const compared = ['email', 'status', 'provider', 'external_identifier']
  const keys = nodes
    .filter(({ values }) => compared.some((name) => values.has(name)))
    .flatMap((node) => keyOf(node) ?? [])
  if (keys.length === 0) return new Map()
  const found = await rows(users.name, { filter: { id: { _in: keys } }, fields: ['id', ...compared] })
  return new Map(found.map((row) => [String(row['id']), row]))
}

/** Values that a client has read and sends back are no changes: masks of secrets, and current values. */
function dropUnchanged(node: WriteNode, known: Payload | undefined): void {
  for (const name of secrets) if (sent(node, name) === MASK) node.values.delete(name)
  if (known === undefined) return
  for (const name of ['email', 'status', 'provider', 'external_identifier'])
    if (node.values.has(name) && sent(node, name) === known[name]) node.values.delete(name)
}

function checkPlainly(node: WriteNode): void {
  const email = sent(node, 'email')
  if (typeof email === 'string' && !isEmailAddress(email)) throw failed(node, 'email', 'email')
  const status = sent(node, 'status')
  if (status !== undefined && !statuses.some((each) => each === status))
    throw failed(node, 'status', 'in', { valid: statuses })
  const factor = sent(node, 'tfa_secret')
  if (factor !== undefined && !(factor === null && node.action === 'create'))
    throw invalidPayload('"tfa_secret" cannot be set here; use /users/me/tfa/enable and /users/me/tfa/disable')
}

/** A caller who could set the provider of a user could log in as that user through it. */
function checkProvider(node: WriteNode, { actor }: GuardContext): void {
  const names = ['provider', 'external_identifier', 'auth_data'].filter((name) => node.values.has(name))
  if (names.length === 0) return
  if (!actor.isAdmin) throw forbidden()
  if (!names.includes('auth_data') && !isNew(node)) replace(node, 'auth_data', null)
}

/** Tokens are stored as hashes. Only administrators set them for other users. */
function checkToken(node: WriteNode, { actor }: GuardContext): void {
  const token = sent(node, 'token')
  if (token === undefined) return
  if (!actor.isAdmin && (isNew(node) || keyOf(node) !== actor.user)) throw forbidden()
  if (typeof token === 'string' && token.length < LEAST_TOKEN)
    throw invalidPayload(`"token" has to have at least ${LEAST_TOKEN} characters; null removes it`)
  if (typeof token === 'string') replace(node, 'token', hashToken(token))
}

async function checkPasswords(nodes: readonly WriteNode[], { rows }: GuardContext): Promise<void> {
  const given = nodes.flatMap((node) => {
    const password = sent(node, 'password')
    return typeof password === 'string' ? [{ node, password }] : []
  })
  if (given.length === 0) return
  const [row] = await rows(settings.name, { fields: ['auth_password_policy'], limit: 1 })
  const policy = row?.['auth_password_policy']
  for (const { node, password } of given)
    if (!isPassword(password, typeof policy === 'string' ? policy : null)) throw failed(node, 'password', 'regex')
}
