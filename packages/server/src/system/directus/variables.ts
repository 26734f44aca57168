import { ServiceError } from '@tain/contract'
import { isPathVariable, isVariable, resolveVariable } from '../../query/variables.ts'
import { findField, type Schema } from '../../schema/schema.ts'

/** Where a variable with a path starts. */
const roots: Readonly<Record<string, string>> = {
  $CURRENT_USER: 'service_users',
  $CURRENT_ROLE: 'service_roles',
  $CURRENT_ROLES: 'service_roles',
  $CURRENT_POLICIES: 'service_policies',
}

const nobody = { now: new Date(0), user: null, role: null, roles: [], policies: [], paths: new Map<string, unknown>() }

/** The first variable that has no meaning here; null: none. A variable without a meaning would be compared as text. */
export function variableProblem(value: unknown, schema: Schema): string | null {
  if (Array.isArray(value)) return firstOf(value, schema)
  if (typeof value === 'object' && value !== null) return firstOf(Object.values(value), schema)
  if (typeof value !== 'string' || !/^\$[A-Z_]{2,}/u.test(value)) return null
  return textProblem(value, schema)
}

function textProblem(text: string, schema: Schema): string | null {
  const isKnown: boolean = isVariable(text) || text === '$NOW'
  const isPath: boolean = isPathVariable(text)
  if (isPath && !hasPath(text, schema)) return `"${text}" names a field that does not exist`
  if (isKnown) return null
  if (!/^\$NOW\(.*\)$/u.test(text)) return `There is no variable "${text}"`
  try {
    resolveVariable(text, nobody)
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function firstOf(values: readonly unknown[], schema: Schema): string | null {
  for (const value of values) {
    const problem = variableProblem(value, schema)
    if (problem !== null) return problem
  }
  return null
}

function hasPath(variable: string, schema: Schema): boolean {
  const [root = '', ...path] = variable.split('.')
  let collection = schema.system.get(roots[root] ?? '')
  for (const name of path) {
    const field = collection === undefined ? undefined : findField(collection, name)
    if (field === undefined) return false
    const { relation } = field
    collection = relation === null || relation.kind === 'any' ? undefined : schema.collections.get(relation.to)
  }
  return true
}
