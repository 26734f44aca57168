import type { SnapshotRow } from '@tain/contract'
import { dashboards, files, panels } from '@tain/contract/collections'
import type { Finding } from './findings.ts'
import { mapRows, type Mapped, type Outcome } from './outcome.ts'
import type { Source } from './source.ts'
import { systemRow } from './system-rows.ts'
import type { TextRow } from './values.ts'

/** Rows that exist once the migration is done. */
export interface FileContext {
  readonly users: ReadonlySet<unknown>
  readonly folders: ReadonlySet<unknown>
}

/** A name in a storage: letters, digits, dots and dashes, and no folder. */
const plain = /^[\w-][\w.-]{0,199}$/u

/** Columns that are not taken: databases write times in too many forms. */
const out = ['tus_id', 'tus_data', 'checksum', 'created_on', 'modified_on', 'uploaded_on']

const among = (known: ReadonlySet<unknown>, key: unknown) => (known.has(key) ? key : null)

/** What is known of files. Their content stays where it is, under the same name. */
export function fileRows(source: Source, context: FileContext): Mapped<SnapshotRow> {
  const mapped = mapRows(
    source.rows('directus_files'),
    (row) => `directus_files ${row['id'] ?? ''}`,
    (row) => fileRow(row, context),
    'file',
  )
  const storages = new Set(mapped.rows.map(({ storage }) => String(storage)))
  const places = [...storages].sort().map((storage): Finding => ({
    kind: 'storage',
    what: storage,
    why: 'Name it in STORAGE_LOCATIONS, with the same folder or bucket.',
  }))
  return { rows: mapped.rows, findings: [...mapped.findings, ...places] }
}

function fileRow(text: TextRow, { users, folders }: FileContext): Outcome<SnapshotRow> {
  const what = `directus_files ${text['id'] ?? ''}`
  const refused = (why: string): Outcome<SnapshotRow> => ({ row: null, findings: [{ kind: 'file', what, why }] })
  if ((text['tus_id'] ?? null) !== null) return refused('Its upload is not finished.')
  const name = text['filename_disk'] ?? null
  if (name !== null && !plain.test(name)) return refused('Its name in the storage is no plain name.')
  const row = systemRow(text, files, out)
  return {
    row: {
      ...row,
      folder: among(folders, row['folder']),
      uploaded_by: among(users, row['uploaded_by']),
      modified_by: among(users, row['modified_by']),
    },
    findings: [],
  }
}

export const dashboardRows = (source: Source, users: ReadonlySet<unknown>): Mapped<SnapshotRow> =>
  mapRows(
    source.rows('directus_dashboards'),
    (row) => `directus_dashboards ${row['id'] ?? ''}`,
    (text) => {
      const row = systemRow(text, dashboards, ['date_created'])
      return { row: { ...row, user_created: among(users, row['user_created']) }, findings: [] }
    },
  )

export const panelRows = (source: Source, users: ReadonlySet<unknown>): Mapped<SnapshotRow> =>
  mapRows(
    source.rows('directus_panels'),
    (row) => `directus_panels ${row['id'] ?? ''}`,
    (text) => {
      const row = systemRow(text, panels, ['date_created'])
      return { row: { ...row, user_created: among(users, row['user_created']) }, findings: [] }
    },
  )
