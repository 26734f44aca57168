import type { Filter } from '../reads/ast.ts'
import { smallerFilters, smallerQueries } from '../reads/shrink.ts'
import type { Read } from './answer.ts'
import type { Permission, Policy, Rights, EffectivePermissions } from './rights.ts'

export const smallerReads = ({ query, key }: Read): Read[] =>
  smallerQueries(query).map((smaller) => ({ query: smaller, key }))

/** First empties the policies that do not apply to the caller, then removes one thing at a time from those that do. */
export function* smallerRights(rights: Rights, { policies }: EffectivePermissions): Generator<Rights> {
  const unused = rights.policies.filter((policy) => policy.permissions.length > 0 && !policies.includes(policy))
  if (unused.length > 0)
    yield replace(rights, (policy) => (unused.includes(policy) ? { ...policy, permissions: [] } : policy))
  for (const policy of policies) {
    for (const smaller of smallerPolicies(policy))
      yield replace(rights, (other) => (other === policy ? smaller : other))
  }
}

const replace = (rights: Rights, change: (policy: Policy) => Policy): Rights => ({
  ...rights,
  policies: rights.policies.map(change),
})

function* smallerPolicies(policy: Policy): Generator<Policy> {
  const { permissions } = policy
  if (permissions.length > 1) yield { ...policy, permissions: [] }
  const collections = new Set(permissions.map(({ collection }) => collection))
  for (const name of collections.size > 1 ? collections : [])
    yield { ...policy, permissions: permissions.filter(({ collection }) => collection !== name) }
  for (const [index, permission] of permissions.entries()) {
    yield { ...policy, permissions: permissions.toSpliced(index, 1) }
    for (const smaller of smallerPermissions(permission))
      yield { ...policy, permissions: permissions.with(index, smaller) }
  }
}

function* smallerPermissions(permission: Permission): Generator<Permission> {
  const { rule, fields, presets, validation } = permission
  if (rule !== null) yield { ...permission, rule: null }
  if (presets !== null) yield { ...permission, presets: null }
  if (validation !== null) yield { ...permission, validation: null }
  for (const filter of rule?.kind === 'filter' ? smallerRules(rule.filter) : [])
    yield { ...permission, rule: { kind: 'filter', filter } }
  if (fields !== null && !fields.includes('*')) {
    yield { ...permission, fields: ['*'] }
    for (const name of fields) yield { ...permission, fields: fields.filter((other) => other !== name) }
  }
}

/** A variable stands at the index of its operand; shrinking never removes only one of the two. */
const smallerRules = (filter: Filter): Filter[] => smallerFilters(filter).filter(isSound)

function isSound(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.items.every(isSound)
    case 'one':
    case 'some':
    case 'none':
    case 'any':
      return isSound(filter.filter)
    case 'test':
      return filter.variables === undefined || filter.variables.length === filter.operands.length
    case 'exists':
    case 'member':
    case 'bare':
    case 'constant':
      return true
  }
  throw new Error('no such filter')
}
