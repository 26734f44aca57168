import type { DatabaseSchema } from '../../database-schema.ts'
import type { Row, Statement } from '../../driver.ts'
import { columnsOf } from './catalogue/columns.ts'
import {
  columnsText,
  foreignKeysText,
  indexesText,
  relationsText,
  schemasText,
  typesText,
} from './catalogue/queries.ts'
import { hiddenColumn, hiddenTable, relationOf } from './catalogue/relations.ts'
import { parseList, textAt } from './catalogue/row.ts'
import { tableOf, type TableParts } from './catalogue/tables.ts'
import { typesOf } from './catalogue/types.ts'
import type { MirrorScope } from './fingerprint.ts'
import { insertTriggersText } from './insert-triggers.ts'
import { interner } from './intern.ts'

type Query = (statement: Statement) => Promise<readonly Row[]>

/** Reads the catalogue in a fixed number of queries. Pass a transaction's `query` if they must share one snapshot. */
export async function introspect(query: Query, options: MirrorScope): Promise<DatabaseSchema> {
  const [scope = []] = await query({ text: schemasText, values: [options.systemSchema, options.schemas] })
  const schemas = parseList(scope[1])
  const intern = interner()
  const relations = (await query({ text: relationsText, values: [schemas] })).map((row) => relationOf(row, intern))
  const readable = relations.filter(({ readability }) => readability !== 'none')
  const served = readable.map(({ id }) => id)
  const limited = readable.filter(({ readability }) => readability === 'some').map(({ id }) => id)

  const columnRows = await query({ text: columnsText, values: [served, limited] })
  const typeIds = [...new Set(columnRows.map((row) => textAt(row, 3)))]
  const types = typesOf(await query({ text: typesText, values: [typeIds] }))
  const indexes = groupByFirst(await query({ text: indexesText, values: [served] }))
  const foreignKeys = groupByFirst(await query({ text: foreignKeysText, values: [served, options.systemSchema] }))
  const triggered = new Set((await query({ text: insertTriggersText, values: [] })).map((row) => textAt(row, 0)))

  const { columns, hidden } = columnsOf(columnRows, types, intern)
  const parts: TableParts = {
    columns,
    indexes,
    foreignKeys,
    systemSchema: options.systemSchema,
    triggered,
    byId: mapBy(readable, ({ id }) => id),
    intern,
  }

  return {
    defaultSchema: scope[0] ?? 'public',
    tables: readable.map((relation) => tableOf(relation, parts)),
    hidden: [
      ...relations.filter(({ readability }) => readability === 'none').map(hiddenTable),
      ...hidden.flatMap(({ id, name }) => hiddenColumn(parts.byId.get(id), name)),
    ],
  }
}

const groupByFirst = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, (row) => textAt(row, 0))

const mapBy = <T>(list: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(list.map((item) => [keyOf(item), item]))
