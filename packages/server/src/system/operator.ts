import { ServiceError, writtenName, type ExportFormat } from '@tain/contract'
import type { SystemCollectionName } from '@tain/contract/collections'
import { administrator } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import type { Engine } from '../engine/engine.ts'
import { listRead } from '../engine/items/read-items.ts'
import { showingNothing, showingOne, type ItemWrite } from '../engine/items/item-write.ts'
import { targetLimits, writeOne, writeRequest } from '../engine/items/write-items.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import type { Payload } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { findCollection } from '../schema/schema.ts'
import type { Account, Accounts } from '../store/accounts.ts'
import { exportPieces } from './export/export.ts'
import { importFile, type Upload } from './import/import.ts'

/**
 * The person who runs commands on the database. The operator has every permission, and every other rule of reads and
 * writes applies: guards, password policy, activity.
 */
export interface Operator {
  /** Matches addresses as a login does. Throws FORBIDDEN if the service has no tables. */
  userByEmail(email: string): Promise<Account | null>
  /** All rows of a system collection that match the query. */
  list(collection: SystemCollectionName, query: Payload): Promise<readonly Payload[]>
  /** Returns the fields of the new row. */
  create(collection: SystemCollectionName, item: Payload, fields: readonly string[]): Promise<Payload>
  /** Rows of a user collection as text, in the format of `export=`: without fields in the query, its own columns. */
  exportRows(collection: string, query: Payload, options: ExportOptions): Promise<AsyncIterable<string>>
  /** Imports all rows of a file, or none. Returns their number. */
  importRows(collection: string, file: ImportedFile): Promise<number>
  update(collection: SystemCollectionName, key: string, data: Payload): Promise<void>
}

export interface ExportOptions {
  readonly format: ExportFormat
  readonly onRows: (written: number) => void
}

export type ImportedFile = Pick<Upload, 'fileName' | 'content'>

export interface OperatorServices {
  readonly engine: Engine
  /** null: the service has no tables in this database. */
  readonly accounts: Pick<Accounts, 'byEmail'> | null
  readonly limits: QueryLimits
  /** Most errors that an import reports at once. */
  readonly importErrors: number
}

const origin: Origin = { ip: null, userAgent: 'tain' }

export function createOperator({ engine, accounts, limits, importErrors }: OperatorServices): Operator {
  const queryOf = (query: Payload) => {
    const parsed = parseQuery(query, targetLimits(limits))
    return { ...parsed, queryKey: queryKeyOf(parsed.query) }
  }
  const write = (item: ItemWrite, fields: readonly string[] = []) =>
    writeOne(
      engine,
      administrator,
      writeRequest(item, () => queryOf({ fields }), origin),
      false,
    )

  return {
    userByEmail: async (email) => {
      if (accounts === null) throw new ServiceError('FORBIDDEN')
      return accounts.byEmail(email)
    },
    list: async (collection, query) => {
      const { rows } = await engine.list(administrator, listRead({ collection, isSystem: true }, queryOf(query)))
      return rows.map((row) => JSON.parse(row) as Payload)
    },
    create: async (collection, item, fields) => {
      const reply = await write(showingOne({ collection, isSystem: true, kind: 'create', items: [item] }), fields)
      return JSON.parse(reply?.rows[0] ?? '{}') as Payload
    },
    exportRows: async (collection, query, { format, onRows }) => {
      const columns = findCollection(engine.schema(), collection, false)?.columns.keys() ?? []
      const isShaped = query['fields'] !== undefined || query['aggregate'] !== undefined
      const parsed = queryOf(isShaped ? query : { ...query, fields: [...columns].map(writtenName) })
      const stream = await engine.stream(administrator, listRead({ collection, isSystem: false }, parsed))
      return exportPieces(stream, format, onRows)
    },
    importRows: (collection, file) => {
      const upload = { ...file, collection, mediaType: '', origin, isDryRun: false }
      return importFile(upload, administrator, engine, { size: Infinity, errors: importErrors })
    },
    update: async (collection, key, data) => {
      const target = { kind: 'keys', keys: [key] } as const
      await write(showingNothing({ collection, isSystem: true, kind: 'update', target, data }))
    },
  }
}
