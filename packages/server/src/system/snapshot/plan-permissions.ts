import { randomUUID } from 'node:crypto'
import { invalidPayload, type SnapshotRow, type SnapshotSections } from '@tain/contract'
import type { SystemColumn } from '@tain/contract/collections'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Catalogue, MetadataChange, StoredValue } from '../../schema/change.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'
import type { Body } from '../metadata.ts'
import { permissionTables, ruleColumns, type PermissionSection } from './permissions.ts'
import { itemsOf, nameIn } from './sections.ts'

const kinds: Readonly<Record<SystemColumn['type'], StoredValue['kind']>> = {
  boolean: 'boolean',
  integer: 'integer',
  counter: 'integer',
  bigint: 'integer',
  text: 'text',
  uuid: 'uuid',
  timestamp: 'text',
  json: 'json',
}

const stored = (section: PermissionSection, column: string, value: unknown): StoredValue =>
  storedIn(permissionTables[section].declared, column, value)

export function storedIn({ columns }: SystemCollection, column: string, value: unknown): StoredValue {
  const kind = kinds[columns[column]?.type ?? 'text']
  if (value === null || value === undefined) return { column, kind, value: null }
  return { column, kind, value: kind === 'json' || typeof value !== 'string' ? JSON.stringify(value) : value }
}

const storedRow = (section: PermissionSection, row: Body): StoredValue[] =>
  Object.entries(row).map(([column, value]) => stored(section, column, value))

interface Changed {
  /** New or changed. */
  readonly put: readonly SnapshotRow[]
  readonly gone: readonly SnapshotRow[]
}

export function changedIn(section: PermissionSection, current: SnapshotSections, wanted: SnapshotSections): Changed {
  if (wanted[section] === undefined) return { put: [], gone: [] }
  const before = new Map(itemsOf(current, section).map((item) => [nameIn(section, item), item]))
  const after = new Map(itemsOf(wanted, section).map((item) => [nameIn(section, item), item]))
  return {
    put: [...after].flatMap(([name, item]) =>
      canonicalJson(before.get(name) ?? null) === canonicalJson(item) ? [] : [item],
    ),
    gone: [...before].flatMap(([name, item]) => (after.has(name) ? [] : [item])),
  }
}

const byId = (section: PermissionSection, { id }: Body): MetadataChange => ({
  kind: 'remove',
  table: permissionTables[section].table,
  keys: [stored(section, 'id', id)],
})

function keyed(
  section: 'roles' | 'policies',
  { put, gone }: Changed,
): { puts: MetadataChange[]; removes: MetadataChange[] } {
  return {
    puts: put.map(({ id, ...row }) => ({
      kind: 'put',
      table: permissionTables[section].table,
      keys: [stored(section, 'id', id)],
      values: storedRow(section, row),
    })),
    removes: gone.map((row) => byId(section, row)),
  }
}

/** Parents come before their children. */
function parentsFirst(rows: readonly SnapshotRow[]): SnapshotRow[] {
  const left = new Map(rows.map((row) => [row['id'], row]))
  const done: SnapshotRow[] = []
  const take = (row: SnapshotRow, below: readonly unknown[]) => {
    if (below.includes(row['id'])) throw invalidPayload('"parent" of a role cannot be the role itself or one below it')
    const parent = left.get(row['parent'])
    if (parent !== undefined) take(parent, [...below, row['id']])
    if (left.delete(row['id'])) done.push(row)
  }
  for (const row of rows) if (left.has(row['id'])) take(row, [])
  return done
}

/** Rows without a name are re-created if anything about them differs. */
async function unnamed(
  section: 'access' | 'permissions',
  { put, gone }: Changed,
  catalogue: Catalogue,
): Promise<{ puts: MetadataChange[]; removes: MetadataChange[] }> {
  if (put.length + gone.length === 0) return { puts: [], removes: [] }
  const names = new Set([...put, ...gone].map((item) => nameIn(section, item)))
  const held = (await catalogue.rows(permissionTables[section].table)).filter(
    (row) => (section !== 'access' || row['user'] === null) && names.has(nameIn(section, row)),
  )
  const rows = put.flatMap((item): Body[] => {
    if (section === 'access') return [{ id: randomUUID(), ...item }]
    const { rules, ...name } = item
    return (rules as readonly Body[]).map((rule) => ({ ...name, ...pickRule(rule) }))
  })
  return {
    puts: rows.map((row) => ({
      kind: 'insert',
      table: permissionTables[section].table,
      values: storedRow(section, row),
    })),
    removes: held.map((row) => byId(section, row)),
  }
}

const pickRule = (rule: Body): Body => Object.fromEntries(ruleColumns.map((name) => [name, rule[name] ?? null]))

async function settingsChange({ put: [wanted] }: Changed, catalogue: Catalogue): Promise<MetadataChange[]> {
  const [held] = wanted === undefined ? [] : await catalogue.rows('service_settings')
  if (wanted === undefined || held === undefined) return []
  const values = storedRow('settings', wanted)
  return [{ kind: 'update', table: 'service_settings', keys: [stored('settings', 'id', held['id'])], values }]
}

/**
 * Permission rows that differ. Referenced rows are created before the rows that refer to them, and removed after them.
 */
export async function planPermissions(
  current: SnapshotSections,
  wanted: SnapshotSections,
  catalogue: Catalogue,
): Promise<MetadataChange[]> {
  const roles = changedIn('roles', current, wanted)
  const changes = [
    keyed('roles', {
      put: parentsFirst(itemsOf(wanted, 'roles')).filter((row) => roles.put.includes(row)),
      gone: roles.gone,
    }),
    keyed('policies', changedIn('policies', current, wanted)),
    await unnamed('access', changedIn('access', current, wanted), catalogue),
    await unnamed('permissions', changedIn('permissions', current, wanted), catalogue),
  ]
  // Rows of permissions and access are removed and re-created, so their removals come before all creations.
  const [, , access, permissions] = changes
  return [
    ...(access?.removes ?? []),
    ...(permissions?.removes ?? []),
    ...changes.flatMap(({ puts }) => puts),
    ...changes
      .slice(0, 2)
      .toReversed()
      .flatMap(({ removes }) => removes),
    ...(await settingsChange(changedIn('settings', current, wanted), catalogue)),
  ]
}
