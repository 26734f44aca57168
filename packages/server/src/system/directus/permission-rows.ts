import { invalidPayload, type SnapshotRow } from '@tain/contract'
import { access, permissions } from '@tain/contract/collections'
import { actions } from '../../access/permissions.ts'
import { ruleProblem } from '../../access/rule-problems.ts'
import type { Schema } from '../../schema/schema.ts'
import { checkFilter, checkValidation } from '../guards/permissions.ts'
import { isBody } from '../metadata.ts'
import type { Finding } from './findings.ts'
import { equalOf } from './names.ts'
import { mapRows, named, type Mapped } from './outcome.ts'
import type { Source } from './source.ts'
import { systemRow } from './system-rows.ts'
import { isDirectus } from './tables.ts'
import type { TextRow } from './values.ts'
import { variableProblem } from './variables.ts'

/**
 * The permissions that the service can apply. `schema` is the schema once the metadata is taken. Validations of several
 * permissions apply together, so a write whose validation is lost is not permitted by the others either.
 */
export function permissionRows(source: Source, schema: Schema, policies: ReadonlySet<unknown>): Mapped<SnapshotRow> {
  const names = new Map(source.rows('directus_policies').map(({ id, name }) => [id?.toLowerCase(), name]))
  const whatOf = ({ policy = '', collection, action }: TextRow) =>
    `${names.get(policy?.toLowerCase()) ?? policy ?? ''}: ${action ?? ''} ${collection ?? ''}`
  const map = (text: TextRow) => {
    const { row, problem } = permissionRow(text, schema, policies)
    return { row, findings: problem === null ? [] : [{ ...problem, what: whatOf(text) }] }
  }
  const mapped = source
    .rows('directus_permissions')
    .map((text) => ({ text, write: writeOf(text), ...mapRows([text], whatOf, map, 'permission') }))
  const lost = new Set(mapped.flatMap(({ text, write, rows }) => (rows.length === 0 && isValidated(text) ? write : [])))
  return {
    rows: mapped.flatMap(({ write, rows }) => (lost.has(write) ? [] : rows)),
    findings: mapped.flatMap(({ text, write, rows, findings }): readonly Finding[] =>
      rows.length > 0 && lost.has(write)
        ? [{ kind: 'permission-validation', what: whatOf(text), why: 'A validation of the same action is not taken.' }]
        : findings,
    ),
  }
}

const writeOf = ({ collection = null, action = null }: TextRow): string => JSON.stringify([collection, action])

const isValidated = ({ validation }: TextRow): boolean => !['', '{}', 'null'].includes(validation?.trim() ?? '')

interface Checked {
  readonly row: SnapshotRow | null
  readonly problem: Omit<Finding, 'what'> | null
}

const unusable = (why: string, kind: Finding['kind'] = 'permission'): Checked => ({
  row: null,
  problem: { kind, why },
})

function permissionRow(text: TextRow, schema: Schema, policies: ReadonlySet<unknown>): Checked {
  const row = systemRow(text, permissions, ['id'])
  const given = String(row['collection'])
  if (!policies.has(row['policy'])) return unusable('Its policy is not taken.')
  if (!actions.some((action) => action === row['action']))
    return unusable(`There is no action "${String(row['action'])}".`)
  const name = isDirectus(given) ? equalOf(given) : given
  const collection = name === null ? undefined : (schema.system.get(name) ?? schema.collections.get(name))
  if (collection === undefined) return unusable(`There is no collection "${given}".`, 'permission-collection')
  const { permissions: rule, validation, presets } = row
  if (presets !== null && !isBody(presets)) throw invalidPayload('"presets" is no object')
  checkFilter(rule)
  checkValidation(validation)
  const rules = { rule, validation, presets: presets }
  const problem = ruleProblem(rules, collection, schema) ?? variableProblem([rule, validation, presets], schema)
  return problem === null
    ? { row: { ...row, collection: collection.name }, problem: null }
    : unusable(`${problem.replace(/\.$/u, '')}.`)
}

/** The policies, roles and users that exist once the migration is done. */
export interface Known {
  readonly policies: ReadonlySet<unknown>
  readonly roles: ReadonlySet<unknown>
  readonly users: ReadonlySet<unknown>
}

/** An attachment whose role or user is missing must not become one to the public, so it is not taken. */
export const accessRows = (source: Source, { policies, roles, users }: Known): Mapped<SnapshotRow> =>
  mapRows(source.rows('directus_access'), named('id'), (text) => {
    const row = systemRow(text, access)
    const isWhole =
      policies.has(row['policy']) &&
      (row['role'] === null || roles.has(row['role'])) &&
      (row['user'] === null || users.has(row['user']))
    if (isWhole) return { row, findings: [] }
    const what = `directus_access ${String(row['id'])}`
    return { row: null, findings: [{ kind: 'attachment', what, why: 'Its policy, role or user is not taken.' }] }
  })
