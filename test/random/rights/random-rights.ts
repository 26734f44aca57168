import type { Filter, Test } from '../reads/ast.ts'
import { type Column, type ForeignKey, type Json, type Model, type Table, tableOf } from '../database/model.ts'
import { randomFilter, relationsOf } from '../reads/filter.ts'
import { junctionKeys } from '../database/relations.ts'
import type { Rng } from '../rng.ts'
import { randomUuid } from '../database/texts.ts'
import type { Cast } from './cast.ts'
import type { Access, Action, Permission, Policy, Rights, Rule } from './rights.ts'
import { isList, variablesFor } from './variables.ts'

export interface RightsOptions {
  readonly actions: readonly Action[]
  /** The probability that a policy has a permission on a collection. */
  readonly share: number
  /** The probability that a permission covers all fields, and all rows. */
  readonly openFields: number
  readonly openRows: number
  /** The parts of a permission that concern written values. */
  readonly written: (rng: Rng, collection: string) => Pick<Permission, 'validation' | 'presets'>
}

export const readsOnly = (share: number): RightsOptions => ({
  actions: ['read'],
  share,
  openFields: 0.3,
  openRows: 0.28,
  written: () => ({ validation: null, presets: null }),
})

/** Overlapping policies, attached in every possible way. */
export function randomRights(rng: Rng, model: Model, cast: Cast, options: RightsOptions): Rights {
  const policies = cast.policies.map((policy): Policy => ({
    ...policy,
    isAdmin: rng.chance(0.02),
    addresses: randomAddresses(rng),
    permissions: [...model.tables.keys()].flatMap((collection) =>
      options.actions.flatMap((action) => randomPermissions(rng, model, collection, action, options)),
    ),
  }))
  return { policies, roles: cast.roles, users: cast.users, access: randomAccess(rng, cast) }
}

function randomAddresses(rng: Rng): string[] {
  return rng.weighted<string[]>([
    [12, []],
    [1, [rng.pick(['127.0.0.1', '127.0.0.0/8', '127.0.0.1-127.0.0.9'])]],
    [1, ['10.0.0.0/8', '192.0.2.7']],
  ])
}

function randomAccess(rng: Rng, { users, roles, policies }: Cast): Access[] {
  const holders = [
    { role: null, user: null, most: 2 },
    ...roles.map(({ id }) => ({ role: id, user: null, most: 2 })),
    ...users.map(({ id }) => ({ role: null, user: id, most: 2 })),
  ]
  return holders.flatMap(({ role, user, most }) =>
    rng.sample(policies, 0, most).map(({ id }): Access => ({
      id: randomUuid(rng),
      role,
      user,
      policy: id,
      sort: rng.chance(0.3) ? null : rng.int(1, 5),
    })),
  )
}

function randomPermissions(
  rng: Rng,
  model: Model,
  collection: string,
  action: Action,
  { share, openFields, openRows, written }: RightsOptions,
): Permission[] {
  const count = rng.chance(share) ? (rng.chance(0.1) ? 2 : 1) : 0
  const writes = action === 'create' || action === 'update'
  const keys = action === 'read' ? junctionKeys(tableOf(model, collection)) : null
  if (keys !== null && count > 0 && rng.chance(0.4)) return splitJunction(rng, model, collection, rng.pick(keys))
  return Array.from({ length: count }, () => ({
    collection,
    action,
    fields: rng.chance(openFields) ? ['*'] : randomFields(rng, model, tableOf(model, collection)),
    rule: action === 'create' || rng.chance(openRows) ? null : randomRule(rng, model, collection),
    ...(writes ? written(rng, collection) : { validation: null, presets: null }),
  }))
}

/**
 * One permission shows all fields of a junction in some rows, another shows one end in all rows: a masked key must
 * connect nothing.
 */
function splitJunction(rng: Rng, model: Model, collection: string, { columns }: ForeignKey): Permission[] {
  const read = { collection, action: 'read', validation: null, presets: null } as const
  return [
    { ...read, fields: ['*'], rule: randomRule(rng, model, collection) },
    { ...read, fields: [...columns], rule: null },
  ]
}

function randomFields(rng: Rng, model: Model, { collection, columns, key }: Table): string[] | null {
  const all = [...columns.map(({ name }) => name), ...relationsOf(model, collection).map(({ field }) => field)]
  return rng.weighted<() => string[] | null>([
    [2, () => []],
    [1, () => null],
    [4, () => [rng.pick(all)]],
    [
      63,
      () => {
        const keepsKey = rng.chance(0.8)
        const share = rng.pick([0.35, 0.6, 0.85])
        const chosen = new Set(all.filter((name) => (keepsKey && key.includes(name)) || rng.chance(share)))
        return [...chosen, ...(rng.chance(0.05) ? ['gone'] : [])]
      },
    ],
  ])()
}

function randomRule(rng: Rng, model: Model, collection: string): Rule {
  return rng.weighted<() => Rule>([
    [4, () => ({ kind: 'filter', filter: { kind: 'and', items: [], flat: true } })],
    [2, () => ({ kind: 'filter', filter: { kind: 'or', items: [] } })],
    [3, () => ({ kind: 'broken', wire: brokenRule(rng, model, collection) })],
    [
      50,
      () => {
        const filter = randomFilter(rng, model, collection, rng.int(0, 3))
        return { kind: 'filter', filter: withVariables(rng, model, collection, filter) }
      },
    ],
    [18, () => ({ kind: 'filter', filter: variableRule(rng, model, collection) })],
  ])()
}

/** A condition with variables, mostly below a relation: unknown values are error-prone there, and rare by chance. */
function variableRule(rng: Rng, model: Model, collection: string): Filter {
  const lists = relationsOf(model, collection).filter(
    ({ kind, target }) => kind !== 'one' && variableColumns(model, target).length > 0,
  )
  if (lists.length > 0 && rng.chance(0.6)) {
    const { field, target } = rng.pick(lists)
    const filter = variableTest(rng, model, target)
    return rng.chance(0.7) ? { kind: 'none', field, filter } : { kind: 'some', field, filter, flat: false }
  }
  if (variableColumns(model, collection).length === 0) return randomFilter(rng, model, collection, 1)
  return variableTest(rng, model, collection)
}

const variableColumns = (model: Model, collection: string): readonly Column[] =>
  tableOf(model, collection).columns.filter(({ type }) => type === 'uuid' || type === 'text' || type === 'varchar')

function variableTest(rng: Rng, model: Model, collection: string): Test {
  const { name, type } = rng.pick(variableColumns(model, collection))
  const op = rng.pick(['_eq', '_neq', '_in', '_nin'] as const)
  const names = variablesFor(type).filter((variable) => LISTS.has(op) || !isList(variable))
  const variables = Array.from({ length: LISTS.has(op) ? rng.int(1, 2) : 1 }, () => rng.pick(names))
  return { kind: 'test', subject: { name }, op, operands: variables.map(() => null), other: false, variables }
}

/** A missing field, an operand of the wrong type, an unknown operator, or a field or relation without one. */
function brokenRule(rng: Rng, model: Model, collection: string): Json {
  const { columns } = tableOf(model, collection)
  const number = columns.find(({ type }) => type === 'integer')
  const broken: Json = rng.pick<Json>([
    { gone: { _eq: 1 } },
    ...(number === undefined ? [] : [{ [number.name]: { _eq: 'not a number' } }]),
    { [rng.pick(columns).name]: { _like: 'x' } },
    {
      [rng.pick([...columns.map(({ name }) => name), ...relationsOf(model, collection).map(({ field }) => field)])]: {},
    },
  ])
  const fine: Json = { [columns[0]!.name]: { _nnull: true } }
  return rng.chance(0.5) ? broken : { [rng.pick(['_or', '_and'])]: [fine, broken] }
}

/** Replaces values with variables of the same type. */
function withVariables(rng: Rng, model: Model, collection: string, filter: Filter): Filter {
  const inner = (item: Filter, target = collection): Filter => withVariables(rng, model, target, item)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, items: filter.items.map((item) => inner(item)) }
    case 'one':
    case 'some':
    case 'none':
      return { ...filter, filter: inner(filter.filter, model.relations.get(collection)!.get(filter.field)!.target) }
    case 'test':
      return rng.chance(0.6) ? testWithVariables(rng, model, collection, filter) : filter
    case 'any':
    case 'exists':
    case 'member':
    case 'bare':
    case 'constant':
      return filter
  }
  throw new Error('no such filter')
}

const LISTS: ReadonlySet<string> = new Set(['_in', '_nin'])
const SINGLES: ReadonlySet<string> = new Set(['_eq', '_neq', '_lt', '_lte', '_gt', '_gte', '_between', '_nbetween'])

function testWithVariables(rng: Rng, model: Model, collection: string, test: Test): Test {
  if (test.subject.fn !== undefined || (!LISTS.has(test.op) && !SINGLES.has(test.op))) return test
  const { type } = tableOf(model, collection).columns.find(({ name }) => name === test.subject.name)!
  const names = variablesFor(type).filter((name) => LISTS.has(test.op) || !isList(name))
  if (names.length === 0 || test.operands.length === 0) return test
  return { ...test, variables: test.operands.map(() => (rng.chance(0.7) ? rng.pick(names) : null)) }
}
