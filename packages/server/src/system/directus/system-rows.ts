import type { SnapshotRow } from '@tain/contract'
import { folders, policies, presets, roles, settings, translations } from '@tain/contract/collections'
import type { SystemCollection } from '../../schema/system-collection.ts'
import { isAddressEntry } from '../../access/ip-match.ts'
import { settingChecks } from '../guards/settings.ts'
import { readRow } from '../snapshot/permissions.ts'
import type { Finding } from './findings.ts'
import { equalOf } from './names.ts'
import { mapRows, named, type Mapped, type Outcome } from './outcome.ts'
import type { Source } from './source.ts'
import { isDirectus, type DirectusTable } from './tables.ts'
import { typedRow, type TextRow } from './values.ts'

export const columnsOf = ({ columns }: SystemCollection, out: readonly string[] = []): readonly string[] =>
  Object.keys(columns).filter((name) => !out.includes(name))

/** A row of Directus as the service's collection has it. Throws if the service would refuse it. */
export function systemRow(row: TextRow, declared: SystemCollection, out: readonly string[] = []): SnapshotRow {
  const columns = columnsOf(declared, out)
  return readRow(typedRow(row, declared, columns), columns, declared, `a row of ${declared.name}`)
}

const plainRows = (source: Source, table: DirectusTable, declared: SystemCollection): Mapped<SnapshotRow> =>
  mapRows(
    source.rows(table),
    (row) => `${table} ${row['id'] ?? ''}`,
    (row) => ({ row: systemRow(row, declared), findings: [] }),
  )

/** Parents come before their children. A row whose parent is missing or below the row itself loses the parent. */
export function parentsFirst({ rows, findings }: Mapped<SnapshotRow>, table: string): Mapped<SnapshotRow> {
  const sorted: SnapshotRow[] = []
  const done = new Set<unknown>([null])
  let left = rows
  for (;;) {
    const ready = left.filter(({ parent }) => done.has(parent))
    if (ready.length === 0) break
    for (const row of ready) done.add(row['id'])
    sorted.push(...ready)
    left = left.filter(({ id }) => !done.has(id))
  }
  const lost = left.map(({ id, name }): Finding => ({
    kind: 'parent',
    what: `${table} ${String(id)} (${String(name)})`,
    why: 'Its parents lead nowhere or in a circle.',
  }))
  return { rows: [...sorted, ...left.map((row) => ({ ...row, parent: null }))], findings: [...findings, ...lost] }
}

export const folderRows = (source: Source): Mapped<SnapshotRow> =>
  parentsFirst(plainRows(source, 'directus_folders', folders), 'directus_folders')

export const roleRows = (source: Source): Mapped<SnapshotRow> =>
  parentsFirst(plainRows(source, 'directus_roles', roles), 'directus_roles')

export const translationRows = (source: Source): Mapped<SnapshotRow> =>
  plainRows(source, 'directus_translations', translations)

/** A policy with an address that cannot be understood would apply everywhere, so it is not taken. */
export const policyRows = (source: Source): Mapped<SnapshotRow> =>
  mapRows(
    source.rows('directus_policies'),
    named('name'),
    (text): Outcome<SnapshotRow> => {
      const row = systemRow(text, policies)
      const wrong = ((row['ip_access'] ?? []) as readonly string[]).find((entry) => !isAddressEntry(entry))
      if (wrong === undefined) return { row, findings: [] }
      const why = `"${wrong}" in "ip_access" is no address, network or range.`
      return { row: null, findings: [{ kind: 'policy', what: String(row['name']), why }] }
    },
    'policy',
  )

/** Presets of collections that have no equal are left out: they only describe lists. */
export const presetRows = (source: Source): Mapped<SnapshotRow> =>
  mapRows(
    source.rows('directus_presets'),
    (row) => `directus_presets ${row['id'] ?? ''}`,
    (text): Outcome<SnapshotRow> => {
      const row = systemRow(text, presets, ['id'])
      const { collection } = row
      if (typeof collection !== 'string' || !isDirectus(collection)) return { row, findings: [] }
      const equal = equalOf(collection)
      if (equal !== null) return { row: { ...row, collection: equal }, findings: [] }
      const what = `directus_presets ${String(text['id'])}`
      return { row: null, findings: [{ kind: 'row', what, why: `It is a preset of ${collection}.` }] }
    },
  )

/** Failed logins have another meaning here, and files are not taken. */
const files = ['project_logo', 'public_foreground', 'public_background', 'public_favicon']
const otherSettings = ['id', 'auth_login_attempts']

/** The settings that both have, without values that the service refuses. */
export function settingsRow(source: Source): { readonly row: SnapshotRow; readonly findings: readonly Finding[] } {
  const [text = {}] = source.rows('directus_settings')
  const findings: Finding[] = []
  const refuse = (name: string, why: string) => findings.push({ kind: 'setting', what: name, why })
  for (const name of files) if (text[name] != null) refuse(name, 'Files are not taken yet.')
  const names = columnsOf(settings, [...files, ...otherSettings]).filter((name) => text[name] !== undefined)
  const row: Record<string, unknown> = {}
  for (const name of names) {
    const { rows, findings: found } = mapRows(
      [text],
      () => name,
      () => ({
        row: readRow(typedRow(text, settings, [name]), [name], settings, 'settings'),
        findings: [],
      }),
    )
    const value = rows[0]?.[name]
    if (found[0] !== undefined) refuse(name, found[0].why)
    else if (value != null && settingChecks[name]?.(value) === false) refuse(name, 'It cannot have this value.')
    else row[name] = value
  }
  return { row, findings }
}
