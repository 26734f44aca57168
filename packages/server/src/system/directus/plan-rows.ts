import type { SnapshotRow } from '@tain/contract'
import { access, permissions, presets, settings } from '@tain/contract/collections'
import { PUBLIC_POLICY } from '../../auth/bootstrap.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { MetadataChange, MetadataTable } from '../../schema/change.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'
import { storedIn } from '../snapshot/plan-permissions.ts'
import type { Finding } from './findings.ts'
import { rowChange, type Counting } from './row-change.ts'

export type Held = Readonly<Record<string, unknown>>

/** What is planned so far: the changes, and the keys of the rows that are new. */
export interface Planned {
  readonly changes: readonly MetadataChange[]
  readonly fresh: ReadonlySet<unknown>
}

const directusName = (declared: SystemCollection) => declared.name.replace('service_', 'directus_')

/** Rows by their key. `isReplacing` decides for each row whether one that exists is overwritten. */
export function planKeyed(
  rows: readonly SnapshotRow[],
  declared: SystemCollection,
  held: readonly Held[],
  isReplacing: (row: SnapshotRow) => boolean,
  { count }: Counting,
): Planned {
  const byId = new Map(held.map((row) => [String(row['id']).toLowerCase(), row]))
  const fresh = new Set<unknown>()
  const changes: MetadataChange[] = []
  for (const { id, ...values } of rows) {
    const { fate, change } = rowChange(
      {
        table: declared.name as MetadataTable,
        keys: [storedIn(declared, 'id', id)],
        values: Object.entries(values).map(([column, value]) => storedIn(declared, column, value)),
        held: byId.get(String(id)),
      },
      isReplacing({ id, ...values }),
    )
    count(directusName(declared), fate)
    if (fate === 'new') fresh.add(id)
    if (change !== null) changes.push(change)
  }
  return { changes, fresh }
}

const insert = (declared: SystemCollection, row: Held): MetadataChange => ({
  kind: 'insert',
  table: declared.name as MetadataTable,
  values: Object.entries(row).map(([column, value]) => storedIn(declared, column, value)),
})

const remove = (declared: SystemCollection, { id }: Held): MetadataChange => ({
  kind: 'remove',
  table: declared.name as MetadataTable,
  keys: [storedIn(declared, 'id', id)],
})

/** Keys of roles, policies and users that Directus has, and of those among them that are new. */
interface Taking {
  readonly taken: ReadonlySet<unknown>
  readonly fresh: ReadonlySet<unknown>
  readonly isReplacing: boolean
}

const attachmentOf = ({ role, user, policy }: Held) => JSON.stringify([role ?? null, user ?? null, policy])

/**
 * Attachments. One that an administrator has removed since the last migration is not made again, so both of its ends
 * are compared: at least one must be new. A replacement also removes those that Directus does not have.
 */
export function planAccess(
  rows: readonly SnapshotRow[],
  held: readonly Held[],
  { fresh, taken, isReplacing }: Taking,
  { count }: Counting,
): readonly MetadataChange[] {
  const there = new Set(held.map(attachmentOf))
  const wanted = new Set(rows.map(attachmentOf))
  const isTaken = (key: unknown) => (key ?? null) === null || taken.has(key)
  const gone = held.filter(
    (row) =>
      isReplacing &&
      !wanted.has(attachmentOf(row)) &&
      row['policy'] !== PUBLIC_POLICY &&
      [row['policy'], row['role'], row['user']].every(isTaken),
  )
  const made = rows.filter((row) => {
    const isNew = [row['policy'], row['role'], row['user']].some((key) => fresh.has(key))
    const isMade = !there.has(attachmentOf(row)) && (isReplacing || isNew)
    count(directusName(access), isMade ? 'new' : 'kept')
    return isMade
  })
  return [...gone.map((row) => remove(access, row)), ...made.map((row) => insert(access, row))]
}

const ruleOf = (row: Held) => canonicalJson({ ...row, id: null })

/**
 * The permissions of a policy are taken together: if the policy is new, or is to be replaced and differs. Permissions
 * that stay although they differ are reported.
 */
export function planPermissionRows(
  rows: readonly SnapshotRow[],
  held: readonly Held[],
  isTaking: (policy: unknown) => boolean,
  { count }: Counting,
): { readonly changes: readonly MetadataChange[]; readonly findings: readonly Finding[] } {
  const before = Map.groupBy(held, ({ policy }) => policy)
  const after = Map.groupBy(rows, ({ policy }) => policy)
  const changes: MetadataChange[] = []
  const findings: Finding[] = []
  for (const policy of new Set([...after.keys(), ...[...before.keys()].filter(isTaking)])) {
    const wanted = after.get(policy) ?? []
    const current = before.get(policy) ?? []
    const there = new Set(current.map(ruleOf))
    const missing = wanted.filter((row) => !there.has(ruleOf(row)))
    const isSame = missing.length === 0 && current.length === wanted.length
    const isKept = isSame || !isTaking(policy)
    for (const row of wanted) {
      const isNew = missing.includes(row)
      if (!isNew || !isKept) count(directusName(permissions), isNew ? 'new' : 'kept')
    }
    if (!isKept)
      changes.push(...current.map((row) => remove(permissions, row)), ...wanted.map((row) => insert(permissions, row)))
    else if (missing.length > 0)
      findings.push({ kind: 'permissions-kept', what: String(policy), why: `${missing.length} are missing.` })
  }
  return { changes, findings }
}

const presetOf = ({ user, role, collection, bookmark }: Held) =>
  JSON.stringify([user ?? null, role ?? null, collection ?? null, bookmark ?? null])

/** Presets have no key that both sides share: one for the same user, role, collection and bookmark stays. */
export function planPresets(
  rows: readonly SnapshotRow[],
  held: readonly Held[],
  { count }: Counting,
): readonly MetadataChange[] {
  const there = new Set(held.map(presetOf))
  return rows.flatMap((row) => {
    const isThere = there.has(presetOf(row))
    count(directusName(presets), isThere ? 'kept' : 'new')
    return isThere ? [] : [insert(presets, row)]
  })
}

/** A setting is taken if the service still has its default. */
export function planSettings(
  row: SnapshotRow,
  [held]: readonly Held[],
  isReplacing: boolean,
  { count }: Counting,
): readonly MetadataChange[] {
  const values = Object.entries(row)
    .filter(([name]) => isReplacing || held === undefined || isDefault(name, held[name]))
    .map(([name, value]) => storedIn(settings, name, value))
  const keys = [storedIn(settings, 'id', held?.['id'] ?? 1)]
  const { fate, change } = rowChange({ table: 'service_settings', keys, values, held: held ?? {} }, true)
  count('directus_settings', fate)
  return change === null ? [] : [change]
}

function isDefault(name: string, value: unknown): boolean {
  const { default: fallback = null } = (settings.columns as SystemCollection['columns'])[name] ?? {}
  return canonicalJson(value ?? null) === canonicalJson(fallback)
}
