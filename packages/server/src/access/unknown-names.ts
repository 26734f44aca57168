import { nearest } from '../lib/nearest.ts'
import { findField, type Collection, type Schema } from '../schema/schema.ts'
import type { Permission } from './permissions.ts'

/** The dynamic variables of rules, validations and presets. */
const variables = ['$NOW', '$CURRENT_USER', '$CURRENT_ROLE', '$CURRENT_ROLES', '$CURRENT_POLICIES']

/** Capitals after `$` are meant as a variable; `$100` and `US$` are ordinary texts. */
const VARIABLE = /^\$[A-Z][A-Z_]+(?![\w$])/u

export const fieldNames = ({ columns, aliases, inferred }: Collection): readonly string[] => [
  ...columns.keys(),
  ...aliases.keys(),
  ...inferred.keys(),
]

export function hint(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `. Did you mean "${meant}"?`
}

/** The first variable in the values that does not exist, with its part of the permission; null: none. */
export function variableProblem(parts: Readonly<Record<string, unknown>>): string | null {
  for (const [part, value] of Object.entries(parts)) {
    const unknown = unknownVariable(value)
    if (unknown !== null)
      return `"${part}" names the variable "${unknown}", which does not exist${hint(unknown, variables)}`
  }
  return null
}

function unknownVariable(value: unknown): string | null {
  if (typeof value === 'string') {
    const [name] = VARIABLE.exec(value) ?? []
    return name === undefined || variables.includes(name) ? null : name
  }
  if (typeof value !== 'object' || value === null) return null
  return Object.values(value).reduce<string | null>((found, inner) => found ?? unknownVariable(inner), null)
}

/** The first name of a permission that does not exist: its collection, a field or a variable; null: none. */
export function unknownName(permission: Permission, schema: Schema): string | null {
  const { collection: name, fields, rule, validation, presets } = permission
  const collection = schema.collections.get(name)
  if (collection === undefined) return `There is no collection "${name}"${hint(name, schema.collections.keys())}`
  const missing = fields === 'all' ? undefined : [...fields].find((field) => findField(collection, field) === undefined)
  if (missing !== undefined)
    return `"fields" names "${missing}", which is no field of "${name}"${hint(missing, fieldNames(collection))}`
  return variableProblem({ permissions: rule, validation, presets })
}
