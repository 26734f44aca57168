import { chosenDialect } from '../lib/chosen-dialect.ts'
import { createNamePool } from '../random/database/names.ts'
import type { Rng } from '../random/rng.ts'
import { chosenFeatures, chosenTypes, TEXTS, type Kind, type TypeRow } from './column-types.ts'

/** A schema that the test generates with its own SQL, independently of the service. */
export interface Structure {
  readonly tables: readonly Table[]
  readonly folders: readonly string[]
  readonly metadata: readonly MetaRow[]
}

export interface Table {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
}

export interface Column {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** In SQL. */
  readonly default: string | null
  readonly counter: 'identity' | 'serial' | null
  readonly isUnique: boolean
  readonly isIndexed: boolean
  readonly comment: string | null
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly to: readonly [schema: string, table: string]
  readonly toColumns: readonly string[]
  readonly onDelete: string
  readonly onUpdate: string
}

/** A row of one of the service's own tables. */
export interface MetaRow {
  readonly table: 'service_collections' | 'service_fields' | 'service_relations'
  readonly values: Readonly<Record<string, unknown>>
}

export const SECOND_SCHEMA = 'ware house'

export const collectionOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  schema === 'public' ? name : `${schema}.${name}`

export const quoted = (text: string): string =>
  `'${(chosenDialect() === 'mysql' ? text.replaceAll('\\', '\\\\') : text).replaceAll("'", "''")}'`

const typeRow = (rng: Rng) => rng.weighted(chosenTypes().map((row) => [row[0], row] as const))

function randomDefault(rng: Rng, [, type, kind, defaults]: TypeRow): string | null {
  if (rng.chance(0.6)) return null
  if (kind === 'moment' && rng.chance(0.5)) return rng.pick(chosenFeatures().now[type] ?? [])
  if (kind === 'uuid' && rng.chance(0.5)) return chosenFeatures().uuid
  const picked = rng.pick(defaults)
  const isTyped = rng.chance(0.5) && kind !== 'text'
  if (chosenDialect() === 'sqlite') return literal(kind, type, picked)
  // Uses both the untyped and the typed form, because the database prints them differently.
  return isTyped && chosenDialect() === 'postgres' ? `${quoted(picked)}::${type}` : quoted(picked)
}

/** SQLite keeps a default as written, and a column accepts any value. */
function literal(kind: Kind, type: string, text: string): string {
  if (type === 'blob') return `x${quoted(text.slice(1))}`
  const isBare = kind === 'flag' || (kind === 'number' && !type.startsWith('decimal'))
  return isBare ? text : quoted(text)
}

const remark = (rng: Rng): string | null => (rng.chance(0.2) ? rng.pick(TEXTS) : null)

const comment = (rng: Rng): string | null => {
  const text = remark(rng)
  return chosenFeatures().comments ? text : null
}

export function randomColumn(rng: Rng, name: string): Column {
  const row = typeRow(rng)
  const [, type, , , isComparable] = row
  return {
    name,
    type,
    isNullable: rng.chance(0.7),
    default: randomDefault(rng, row),
    counter: null,
    isUnique: isComparable && rng.chance(0.15),
    isIndexed: isComparable && rng.chance(0.2),
    comment: comment(rng),
  }
}

const plain = (name: string, type: string, more: Partial<Column> = {}): Column => ({
  name,
  type,
  isNullable: false,
  default: null,
  counter: null,
  isUnique: false,
  isIndexed: false,
  comment: null,
  ...more,
})

function randomKey(rng: Rng): readonly Column[] {
  const kind = rng.weighted([
    [6, 'identity'],
    [2, 'serial'],
    [2, 'bigint'],
    [3, 'uuid'],
    [2, 'text'],
    [2, 'pair'],
    [1, 'none'],
  ] as const)
  switch (kind) {
    case 'identity':
    case 'serial': {
      const { counters } = chosenFeatures()
      const fitting = counters.filter(([, counter]) => counter === kind)
      const [type, counter] = rng.pick(fitting.length === 0 ? counters : fitting)
      return [plain('id', type, { counter })]
    }
    case 'bigint':
      return [plain('id', 'bigint')]
    case 'uuid':
      return [plain('id', 'uuid', { default: rng.chance(0.5) ? chosenFeatures().uuid : null })]
    case 'text':
      return [plain(rng.pick(['code', 'id', 'the key']), chosenFeatures().keyText)]
    case 'pair':
      return rng.shuffle([plain('left', chosenFeatures().integer), plain('right side', chosenFeatures().pairText)])
    default:
      return []
  }
}

type Draft = { -readonly [K in keyof Table]: Table[K] extends readonly (infer E)[] ? E[] : Table[K] }

const NAMES_HOSTILE = 0.4

export function randomStructure(rng: Rng): Structure {
  const tables: Draft[] = []
  const names = createNamePool(rng, chosenDialect(), NAMES_HOSTILE)
  const count = rng.int(0, 5)
  for (let index = 0; index < count; index += 1) {
    const key = randomKey(rng)
    const pool = createNamePool(rng, chosenDialect(), NAMES_HOSTILE)
    const columns = Array.from({ length: rng.int(key.length === 0 ? 1 : 0, 5) }, () => randomColumn(rng, pool.column()))
    tables.push({
      schema: rng.chance(0.15) && chosenFeatures().schemas ? SECOND_SCHEMA : 'public',
      name: names.table(),
      comment: comment(rng),
      columns: [...key, ...columns],
      key: key.map(({ name }) => name),
      foreignKeys: [],
    })
  }
  for (const table of tables) {
    const pool = createNamePool(rng, chosenDialect(), NAMES_HOSTILE)
    for (let left = rng.int(0, 2); left > 0; left -= 1) addForeignKey(rng, table, rng.pick(tables), () => pool.link())
  }
  return withMetadata(rng, tables)
}

function addForeignKey(rng: Rng, table: Draft, one: Draft, name: () => string): void {
  const targets = [
    ...(one.key.length > 0 ? [one.key] : []),
    ...one.columns.filter(({ isUnique }) => isUnique).map((column) => [column.name]),
  ]
  if (targets.length === 0) return
  const toColumns = rng.pick(targets)
  const prefix = name()
  const made = toColumns.map((target) => {
    const { type = chosenFeatures().integer } = one.columns.find((column) => column.name === target) ?? {}
    const own = toColumns.length === 1 ? prefix : `${prefix} ${target}`.slice(0, 60).trimEnd()
    const isIndexed = rng.chance(0.3) && (toColumns.length === 1 || !chosenFeatures().keysBringIndexes)
    return plain(own, type, { isNullable: rng.chance(0.8), isIndexed })
  })
  const { actions, emptiesOnlyNullable } = chosenFeatures()
  const isNotNull = emptiesOnlyNullable && made.some(({ isNullable }) => !isNullable)
  const allowed = isNotNull ? actions.filter((action) => !/NULL|CASCADE/u.test(action)) : actions
  if (made.some(({ name: own }) => table.columns.some((column) => column.name === own))) return
  table.columns.push(...made)
  table.foreignKeys.push({
    columns: made.map((column) => column.name),
    to: [one.schema, one.name],
    toColumns,
    onDelete: rng.pick(allowed),
    onUpdate: rng.pick(allowed),
  })
}

function withMetadata(rng: Rng, tables: readonly Table[]): Structure {
  const names = new Set(tables.map(collectionOf))
  const folders = ['a folder', 'other'].filter((name) => rng.chance(0.2) && !names.has(name))
  return {
    tables,
    folders,
    metadata: [...tables.flatMap((table) => metadataOf(rng, table, tables)), ...folders.map(folder)],
  }
}

const isText = (type: string): boolean => type === 'text' || type === 'longtext'

const folder = (collection: string): MetaRow => ({
  table: 'service_collections',
  values: { collection, note: 'kept apart' },
})

function metadataOf(rng: Rng, table: Table, tables: readonly Table[]): MetaRow[] {
  const collection = collectionOf(table)
  const rows: MetaRow[] = []
  if (rng.chance(0.5)) {
    const values = {
      collection,
      note: rng.pick(TEXTS),
      hidden: rng.chance(0.5),
      sort: rng.int(1, 9),
      translations: [{ language: 'en', translation: rng.pick(TEXTS) }],
    }
    rows.push({ table: 'service_collections', values })
  }
  for (const { name, type } of table.columns) {
    if (!rng.chance(0.3)) continue
    const special = isText(type) && rng.chance(0.3) ? 'cast-csv' : rng.chance(0.2) ? 'conceal' : null
    const values = {
      collection,
      field: name,
      special,
      note: remark(rng),
      options: { choices: [rng.pick(TEXTS)] },
      display_options: rng.pick([null, { a: 1 }, 'text']),
      sort: rng.int(1, 20),
      required: rng.chance(0.3),
    }
    rows.push({ table: 'service_fields', values })
  }
  if (rng.chance(0.3))
    rows.push({
      table: 'service_fields',
      values: { collection, field: 'an alias', special: 'alias,no-data', interface: 'divider' },
    })
  rows.push(...relationsOf(rng, table, tables))
  return rows
}

function relationsOf(rng: Rng, table: Table, tables: readonly Table[]): MetaRow[] {
  const many = collectionOf(table)
  const described = new Set<string>()
  const rows: MetaRow[] = []
  for (const { columns, to } of table.foreignKeys) {
    const [column = ''] = columns
    if (columns.length !== 1 || described.has(column) || !rng.chance(0.5)) continue
    described.add(column)
    const one = collectionOf({ schema: to[0], name: to[1] })
    const list = rng.chance(0.6) ? `list of ${rows.length} ${tables.indexOf(table)}` : null
    if (list !== null) rows.push({ table: 'service_fields', values: { collection: one, field: list, special: 'o2m' } })
    const values = {
      many_collection: many,
      many_field: column,
      one_collection: one,
      one_field: list,
      one_deselect_action: rng.pick(['nullify', 'delete']),
    }
    rows.push({ table: 'service_relations', values })
  }
  const free = table.columns.find(
    ({ name, type }) =>
      isText(type) && !table.key.includes(name) && !table.foreignKeys.some(({ columns }) => columns.includes(name)),
  )
  if (free !== undefined && rng.chance(0.3)) {
    const values = {
      many_collection: many,
      many_field: free.name,
      one_collection: null,
      one_collection_field: table.columns[0]?.name,
      one_allowed_collections: tables.map(collectionOf),
    }
    rows.push({ table: 'service_relations', values })
  }
  return rows
}

/** A slightly modified schema, like an operator's everyday changes. */
export function mutated(rng: Rng, structure: Structure): Structure {
  const tables = structure.tables.map((table): Draft => ({
    ...table,
    columns: [...table.columns],
    key: [...table.key],
    foreignKeys: [...table.foreignKeys],
  }))
  for (let left = rng.int(1, 4); left > 0; left -= 1) {
    const table = tables.length === 0 ? undefined : rng.pick(tables)
    if (table === undefined) break
    const isBound = (name: string) =>
      table.key.includes(name) ||
      tables.some(({ foreignKeys }) =>
        foreignKeys.some(({ columns, toColumns }) => columns.includes(name) || toColumns.includes(name)),
      )
    const at = table.columns.findIndex(({ name }) => !isBound(name))
    const column = table.columns[at]
    rng.weighted<() => void>([
      [3, () => void table.columns.push(randomColumn(rng, `added ${rng.int(0, 999)}`))],
      [3, () => void (column !== undefined && table.columns.length > 1 && table.columns.splice(at, 1))],
      [4, () => void (column !== undefined && table.columns.splice(at, 1, randomColumn(rng, column.name)))],
      [2, () => void table.foreignKeys.pop()],
      [2, () => addForeignKey(rng, table, rng.pick(tables), () => `link ${rng.int(0, 999)}`)],
      [1, () => void (table.comment = comment(rng))],
    ])()
    const last = table.columns.at(-1)
    if (last !== undefined && table.columns.filter(({ name }) => name === last.name).length > 1) table.columns.pop()
  }
  return withMetadata(rng, tables)
}
