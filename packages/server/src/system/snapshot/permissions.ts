import { invalidPayload, type SnapshotRow, type SnapshotSection, type SnapshotSections } from '@tain/contract'
import { access, permissions, policies, roles, settings, type SystemColumn } from '@tain/contract/collections'
import { isAddressEntry } from '../../access/ip-match.ts'
import { actions } from '../../access/permissions.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Catalogue, MetadataTable } from '../../schema/change.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'
import { checkFilter, checkValidation } from '../guards/permissions.ts'
import { settingChecks } from '../guards/settings.ts'
import { isBody, refuseUnknown, type Body } from '../metadata.ts'
import type { Raw } from './patch.ts'
import { inOrder, nameIn, type Item } from './sections.ts'

export type PermissionSection = Exclude<
  SnapshotSection,
  'collections' | 'fields' | 'systemFields' | 'relations' | 'names'
>

/** Files and folders differ between installations, and keys of other services are secrets. */
const keptOut: ReadonlySet<string> = new Set([
  'id',
  'project_logo',
  'public_foreground',
  'public_background',
  'public_favicon',
  'storage_default_folder',
  'mapbox_key',
])

interface PermissionTable {
  readonly declared: SystemCollection
  readonly table: MetadataTable
  readonly columns: readonly string[]
}

const columnsOf = ({ columns }: SystemCollection, out: readonly string[]) =>
  Object.keys(columns).filter((name) => !out.includes(name))

export const permissionTables: Readonly<Record<PermissionSection, PermissionTable>> = {
  roles: { declared: roles, table: 'service_roles', columns: columnsOf(roles, []) },
  policies: { declared: policies, table: 'service_policies', columns: columnsOf(policies, []) },
  access: { declared: access, table: 'service_access', columns: columnsOf(access, ['id', 'user']) },
  permissions: { declared: permissions, table: 'service_permissions', columns: columnsOf(permissions, ['id']) },
  settings: { declared: settings, table: 'service_settings', columns: columnsOf(settings, [...keptOut]) },
}

export const permissionSections = Object.keys(permissionTables) as readonly PermissionSection[]

const pick = (row: Body, columns: readonly string[]): SnapshotRow =>
  Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))

export const ruleColumns = ['permissions', 'validation', 'presets', 'fields'] as const

/** Groups rules by policy, collection and action: rules have no names, and their order has no meaning. */
function grouped(rows: readonly Body[]): SnapshotRow[] {
  return [...Map.groupBy(rows, (row) => nameIn('permissions', row)).values()].map((group) => ({
    ...pick(group[0] ?? {}, ['policy', 'collection', 'action']),
    rules: inRuleOrder(group.map((row) => pick(row, ruleColumns))),
  }))
}

const inRuleOrder = (rules: readonly SnapshotRow[]) =>
  rules
    .map((rule) => [canonicalJson(rule), rule] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, rule]) => rule)

/** Describes the rows, without users and secrets. */
export async function describePermissions(
  sections: readonly SnapshotSection[],
  catalogue: Catalogue,
): Promise<Partial<SnapshotSections>> {
  const found: Partial<Record<PermissionSection, readonly SnapshotRow[]>> = {}
  for (const section of permissionSections) {
    if (!sections.includes(section)) continue
    const { table, columns } = permissionTables[section]
    const rows = (await catalogue.rows(table)).filter((row) => section !== 'access' || row['user'] === null)
    const items = section === 'permissions' ? grouped(rows) : rows.map((row) => pick(row, columns))
    found[section] = inOrder(section, [
      ...new Map(items.toReversed().map((item) => [nameIn(section, item), item])).values(),
    ])
  }
  return found
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/iu

/** Value checks by column type. */
const fits: Readonly<Record<SystemColumn['type'], (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  counter: (value) => Number.isSafeInteger(value),
  bigint: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string' && !value.includes('\0') && value.isWellFormed(),
  uuid: (value) => typeof value === 'string' && UUID.test(value),
  timestamp: (value) => typeof value === 'string',
  json: () => true,
}

/** Checks the values of a row and adds defaults. */
export function readRow(item: Item, columns: readonly string[], declared: SystemCollection, what: string): SnapshotRow {
  refuseUnknown(item, columns, what)
  return Object.fromEntries(
    columns.map((name) => {
      const column = declared.columns[name]
      const fallback = typeof column?.default === 'object' ? undefined : column?.default
      const value = item[name] === undefined ? (fallback ?? null) : item[name]
      if (value === null && column?.isNullable !== true) throw invalidPayload(`"${name}" is missing in ${what}`)
      if (value !== null && column !== undefined && !fits[column.type](value))
        throw invalidPayload(`"${name}" in ${what} is no ${column.type}`)
      return [name, value]
    }),
  )
}

function readPermission(item: Item): SnapshotRow {
  const { declared } = permissionTables.permissions
  const { rules, ...names } = item
  const row = readRow(names, ['policy', 'collection', 'action'], declared, 'a permission')
  const what = `the permission ${canonicalJson(row)}`
  if (!actions.some((action) => action === row['action']))
    throw invalidPayload(`"action" of ${what} has to be one of ${actions.join(', ')}`)
  if (!Array.isArray(rules) || rules.length === 0) throw invalidPayload(`"rules" of ${what} has to be a list`)
  const read = (rules as readonly unknown[]).map((rule) => {
    if (!isBody(rule)) throw invalidPayload(`"rules" of ${what} has to be a list of objects`)
    const held = readRow(rule, ruleColumns, declared, what)
    checkFilter(held['permissions'])
    checkValidation(held['validation'] ?? {})
    const { fields, presets } = held
    if (fields !== null && !(Array.isArray(fields) && fields.every((name) => typeof name === 'string')))
      throw invalidPayload(`"fields" of ${what} has to be a list of names; "*" stands for all`)
    if (presets !== null && !isBody(presets)) throw invalidPayload(`"presets" of ${what} has to be an object`)
    return held
  })
  return { ...row, rules: inRuleOrder(read) }
}

function readPolicy(item: Item): SnapshotRow {
  const row = readRow(item, permissionTables.policies.columns, policies, 'a policy')
  const { ip_access: entries } = row
  const isList = Array.isArray(entries) && entries.every((entry) => typeof entry === 'string' && isAddressEntry(entry))
  if (entries !== null && !isList)
    throw invalidPayload(
      `"ip_access" of the policy "${String(row['name'])}" has to be a list of addresses and networks`,
    )
  return row
}

function readSettings(item: Item): SnapshotRow {
  // Settings that are not named stay unchanged.
  const columns = permissionTables.settings.columns.filter((name) => item[name] !== undefined)
  refuseUnknown(item, permissionTables.settings.columns, 'settings')
  const row = readRow(item, columns, settings, 'settings')
  for (const [name, isValid] of Object.entries(settingChecks))
    if (row[name] !== undefined && row[name] !== null && !isValid(row[name]))
      throw invalidPayload(`The setting "${name}" cannot have this value`)
  return row
}

const readers: Readonly<Record<PermissionSection, (item: Item) => SnapshotRow>> = {
  roles: (item) => readRow(item, permissionTables.roles.columns, roles, 'a role'),
  policies: readPolicy,
  access: (item) => readRow(item, permissionTables.access.columns, access, 'an access row'),
  permissions: readPermission,
  settings: readSettings,
}

/** Permission sections of a file → complete, checked and in a fixed order. */
export function readPermissionModel(raw: Raw): Partial<SnapshotSections> {
  return Object.fromEntries(
    permissionSections.flatMap((section) => {
      const { [section]: list } = raw
      if (list === undefined) return []
      if (!Array.isArray(list) || !list.every(isBody)) throw invalidPayload(`"${section}" has to be a list of objects`)
      if (section === 'settings' && list.length > 1) throw invalidPayload('"settings" has to be a list of one object')
      const items = list.map((item) => readers[section](item))
      const names = new Set(items.map((item) => nameIn(section, item)))
      if (names.size < items.length) throw invalidPayload(`"${section}" names something twice`)
      return [[section, inOrder(section, items)]]
    }),
  )
}
