import type { Filter, Test } from '../reads/ast.ts'
import { MICROS_PER_DAY } from '../database/clock.ts'
import type { Cell } from '../database/model.ts'
import type { Rights, Role, EffectivePermissions } from './rights.ts'

const isPresent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

type Lookup = (effective: EffectivePermissions, rights: Rights) => readonly (Cell | undefined)[]

const ownRole = ({ roles }: EffectivePermissions): Role | undefined => roles.at(-1)

/** The value, or list of values, of each variable. A variable without a value is unresolved. */
export const VARIABLES: Readonly<Record<string, Lookup>> = {
  $CURRENT_USER: ({ user }) => [user?.id],
  $CURRENT_ROLE: (effective) => [ownRole(effective)?.id],
  $CURRENT_ROLES: ({ roles }) => roles.map(({ id }) => id),
  $CURRENT_POLICIES: ({ policies }) => policies.map(({ id }) => id),
  '$CURRENT_USER.id': ({ user }) => [user?.id],
  '$CURRENT_USER.role': ({ user }) => [user?.role],
  '$CURRENT_USER.role.parent': (effective) => [ownRole(effective)?.parent],
  '$CURRENT_USER.avatar': () => [null],
  '$CURRENT_USER.title': ({ user }) => [user?.title],
  '$CURRENT_USER.location': ({ user }) => [user?.location],
  '$CURRENT_USER.role.name': (effective) => [ownRole(effective)?.name],
  '$CURRENT_ROLE.parent': (effective) => [ownRole(effective)?.parent],
  '$CURRENT_ROLE.name': (effective) => [ownRole(effective)?.name],
  '$CURRENT_ROLE.description': (effective) => [ownRole(effective)?.description],
  '$CURRENT_ROLES.name': ({ roles }) => roles.map(({ name }) => name),
  '$CURRENT_ROLES.description': ({ roles }) => roles.map(({ description }) => description),
  '$CURRENT_POLICIES.name': ({ policies }) => policies.map(({ name }) => name),
  $NOW: () => [Date.now() * 1000],
  '$NOW(-3 years)': () => [shiftedYears(-3)],
  '$NOW(+1 day)': () => [Date.now() * 1000 + MICROS_PER_DAY],
  '$NOW(-300 days)': () => [Date.now() * 1000 - 300 * MICROS_PER_DAY],
}

const UUIDS = Object.keys(VARIABLES).filter((name) =>
  /(USER|ROLES?|POLICIES|\.id|\.role|\.parent|\.avatar)$/.test(name),
)
const TEXTS = Object.keys(VARIABLES).filter((name) => /\.(title|location|name|description)$/.test(name))
const TIMES = Object.keys(VARIABLES).filter((name) => name.startsWith('$NOW'))

/** Names of variables whose values fit a column of this type. */
export function variablesFor(type: string): readonly string[] {
  if (type === 'uuid') return UUIDS
  if (type === 'text' || type === 'varchar') return [...TEXTS, ...UUIDS]
  return type === 'timestamptz' ? TIMES : []
}

/** List variables are only valid in conditions on lists. */
export const isList = (name: string): boolean => /^\$CURRENT_(ROLES|POLICIES)/.test(name)

function shiftedYears(years: number): number {
  const date = new Date()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.getTime() * 1000
}

/**
 * The filter with values in place of variables. A condition with an unresolved variable is unknown, and a rule that is
 * not certainly true is false. The condition therefore becomes false, or true below an odd number of `_none`.
 */
export function resolveFilter(
  filter: Filter,
  effective: EffectivePermissions,
  rights: Rights,
  isTurned = false,
): Filter {
  const inner = (item: Filter): Filter => resolveFilter(item, effective, rights, isTurned)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, items: filter.items.map(inner) }
    case 'one':
    case 'some':
    case 'any':
      return { ...filter, filter: inner(filter.filter) }
    case 'none':
      return { ...filter, filter: resolveFilter(filter.filter, effective, rights, !isTurned) }
    case 'test':
      return resolveTest(filter, effective, rights, isTurned) ?? { kind: 'constant', value: isTurned }
    case 'exists':
    case 'member':
    case 'bare':
    case 'constant':
      return filter
  }
  throw new Error('no such filter')
}

/** Returns null if the condition is unknown. */
function resolveTest(test: Test, effective: EffectivePermissions, rights: Rights, isTurned: boolean): Test | null {
  const { variables } = test
  if (variables === undefined) return test
  const values = test.operands.map((operand, index) => {
    const name = variables[index] ?? null
    return name === null ? [operand] : VARIABLES[name]!(effective, rights)
  })
  // A literal NULL is an ordinary value; a variable without a value is unresolved.
  const isUnresolved = values.some(
    (list, index) => (variables[index] ?? null) !== null && (list.length === 0 || !list.every(isPresent)),
  )
  // `_in` is certainly true for the known values. Missing values only matter when the condition is negated.
  if (isUnresolved && (test.op !== '_in' || isTurned)) return null
  const { variables: _, ...rest } = test
  return { ...rest, operands: values.flatMap((list) => list.filter(isPresent)) }
}
