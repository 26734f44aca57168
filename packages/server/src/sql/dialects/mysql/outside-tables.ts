import type { Driver, Statement } from '../../driver.ts'
import type { HeardTable } from '../../outside.ts'
import { createDecode, type Decode } from './binlog-charsets.ts'
import { mayBeFixed, type FixedKind, type LogTable } from './binlog-table.ts'
import type { BinlogScope } from './outside-place.ts'

/** Newer collations have their number in the second table only, which older servers have without numbers. */
const COLLATIONS: readonly Statement[] = [
  { text: `select id, character_set_name from information_schema.collations where id is not null`, values: [] },
  { text: `select id, character_set_name from information_schema.collation_character_set_applicability`, values: [] },
]
const HAS_NUMBERS: Statement = {
  text: `select count(*) from information_schema.columns where table_schema = 'information_schema'
    and table_name = 'COLLATION_CHARACTER_SET_APPLICABILITY' and column_name = 'ID'`,
  values: [],
}
const TYPES: Statement = {
  text: `select column_name, data_type, column_type from information_schema.columns
    where table_schema = ? and table_name = ? and data_type in ('uuid', 'inet6', 'inet4')`,
  values: [],
}

async function readDecode(driver: Driver): Promise<Decode> {
  const [row] = await driver.query(HAS_NUMBERS)
  const charsets = new Map<number, string>()
  for (const statement of row?.[0] === '0' ? COLLATIONS.slice(0, 1) : COLLATIONS)
    for (const [id, charset] of await driver.query(statement)) charsets.set(Number(id), charset ?? '')
  return createDecode(charsets)
}

/** Columns whose type the log does not name. Those of older servers have their bytes in another order. */
async function withTypes(table: LogTable, driver: Driver): Promise<LogTable> {
  const rows = await driver.query({ ...TYPES, values: [table.schema, table.name] })
  const kinds = new Map(
    rows.map(([name, type, printed]) => [name, printed === type ? (type as FixedKind) : 'unreadable']),
  )
  const columns = table.columns?.map((column) => ({ ...column, fixed: kinds.get(column.name) ?? null })) ?? null
  return { ...table, columns }
}

export interface Scope {
  readonly hear: (tables: readonly HeardTable[], systemSchema: string) => void
  /** Tables that are not in the log, by the settings of the server. */
  readonly filteredBy: (only: string, without: string) => readonly string[]
  readonly open: () => Promise<BinlogScope>
}

const tableName = (schema: string, table: string) => `${schema}\0${table}`

/**
 * Which tables are heard. The log has all of them, so a table that is made now is heard from its first row on; the
 * service's own are in the same database, and are not.
 */
export function createScope(driver: Driver): Scope {
  let schemas: ReadonlySet<string> = new Set()
  let known: ReadonlySet<string> = new Set()
  let mirrored: readonly HeardTable[] = []
  const isOwn = (table: string) => table.startsWith('service_')
  return {
    hear(tables, systemSchema) {
      mirrored = tables
      schemas = new Set([systemSchema, ...tables.map(({ schema }) => schema)])
      known = new Set(tables.map(({ schema, name }) => tableName(schema, name)))
    },
    filteredBy(only, without) {
      const [wanted, unwanted] = [only, without].map((text) => new Set(text.split(',').filter((name) => name !== '')))
      const isLeftOut = (schema: string) =>
        (wanted !== undefined && wanted.size > 0 && !wanted.has(schema)) || unwanted?.has(schema) === true
      return mirrored.filter(({ schema }) => isLeftOut(schema)).map(({ schema, name }) => `${schema}.${name}`)
    },
    async open() {
      const decode = await readDecode(driver)
      return {
        isHeard: (schema, table) => schemas.has(schema) && (!isOwn(table) || known.has(tableName(schema, table))),
        hasHeard: (schema) => schemas.has(schema),
        schemas: () => schemas,
        complete: (table) => (table.columns?.some(mayBeFixed) === true ? withTypes(table, driver) : null),
        decode,
      }
    },
  }
}
