import { createNamePool } from '../property/names.ts'
import type { Rng } from '../property/rng.ts'

/** A structure as the proof makes it: with SQL of its own, so that the service has no part in it. */
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
  /** As SQL. */
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

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const TEXTS = [
  'plain',
  `it's`,
  'a "quoted" word',
  'back\\slash',
  "'; drop table x; --",
  'größe 日本 😀',
  'now()',
  ' ',
  '{}',
  'NULL',
]

type Kind = 'number' | 'text' | 'flag' | 'moment' | 'uuid' | 'json' | 'other'

/** Types with what their defaults look like, and whether they can be in an index. */
const TYPES: readonly (readonly [
  weight: number,
  type: string,
  kind: Kind,
  defaults: readonly string[],
  isComparable: boolean,
])[] = [
  [6, 'integer', 'number', ['0', '-5', '2147483647'], true],
  [2, 'bigint', 'number', ['9007199254740993', '-9223372036854775808'], true],
  [1, 'smallint', 'number', ['7'], true],
  [2, 'real', 'number', ['0.5', '-1e10'], true],
  [2, 'double precision', 'number', ['0.1', '1e300'], true],
  [3, 'numeric(10,2)', 'number', ['1.50', '-0.01'], true],
  [1, 'numeric(6)', 'number', ['12'], true],
  [2, 'numeric', 'number', ['123456789012345678901234567890.5', '0'], true],
  [6, 'text', 'text', TEXTS, true],
  [4, 'character varying(40)', 'text', TEXTS, true],
  [2, 'character varying', 'text', TEXTS, true],
  [1, 'character(3)', 'text', ['a', 'ab ', `'"'`], true],
  [3, 'boolean', 'flag', ['true', 'false'], true],
  [2, 'date', 'moment', ['2024-02-29', 'infinity'], true],
  [1, 'time without time zone', 'moment', ['12:34:56'], true],
  [2, 'timestamp without time zone', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'timestamp with time zone', 'moment', ['2024-02-29 12:00:00+00'], true],
  [2, 'uuid', 'uuid', ['00000000-0000-4000-8000-000000000000'], true],
  [1, 'json', 'json', ['{"a": [1, "x"]}', '"text"', '[]', '12345678901234567890'], false],
  [2, 'jsonb', 'json', ['{"b": null}', '"5"', 'true'], true],
  [1, 'bytea', 'other', ['\\xdeadbeef'], true],
  [1, 'interval', 'other', ['1 day'], true],
  [1, 'inet', 'other', ['10.0.0.1'], true],
  [1, 'integer[]', 'other', ['{1,2}', '{}'], true],
  [1, 'text[]', 'other', ['{"a,b","c\\"d"}'], true],
  [1, 'daterange', 'other', ['[2024-01-01,2024-02-01)'], true],
]

const ACTIONS = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']

const typeRow = (rng: Rng) => rng.weighted(TYPES.map((row) => [row[0], row] as const))

function randomDefault(rng: Rng, [, type, kind, defaults]: (typeof TYPES)[number]): string | null {
  if (rng.chance(0.6)) return null
  if (kind === 'moment' && rng.chance(0.5)) return rng.pick(['now()', 'CURRENT_TIMESTAMP'])
  if (kind === 'uuid' && rng.chance(0.5)) return 'gen_random_uuid()'
  const text = quoted(rng.pick(defaults))
  // Both the bare and the typed form, for the database prints them differently.
  return rng.chance(0.5) && kind !== 'text' ? `${text}::${type}` : text
}

const comment = (rng: Rng): string | null => (rng.chance(0.2) ? rng.pick(TEXTS) : null)

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
      return [plain('id', rng.pick(['integer', 'bigint']), { counter: 'identity' })]
    case 'serial':
      return [plain('id', 'integer', { counter: 'serial' })]
    case 'bigint':
      return [plain('id', 'bigint')]
    case 'uuid':
      return [plain('id', 'uuid', { default: rng.chance(0.5) ? 'gen_random_uuid()' : null })]
    case 'text':
      return [plain(rng.pick(['code', 'id', 'the key']), 'character varying(20)')]
    case 'pair':
      return rng.shuffle([plain('left', 'integer'), plain('right side', 'text')])
    default:
      return []
  }
}

type Draft = { -readonly [K in keyof Table]: Table[K] extends readonly (infer E)[] ? E[] : Table[K] }

const NAMES_HOSTILE = 0.4

export function randomStructure(rng: Rng): Structure {
  const tables: Draft[] = []
  const names = createNamePool(rng, NAMES_HOSTILE)
  const count = rng.int(0, 5)
  for (let index = 0; index < count; index += 1) {
    const key = randomKey(rng)
    const pool = createNamePool(rng, NAMES_HOSTILE)
    const columns = Array.from({ length: rng.int(key.length === 0 ? 1 : 0, 5) }, () => randomColumn(rng, pool.column()))
    tables.push({
      schema: rng.chance(0.15) ? SECOND_SCHEMA : 'public',
      name: names.table(),
      comment: comment(rng),
      columns: [...key, ...columns],
      key: key.map(({ name }) => name),
      foreignKeys: [],
    })
  }
  for (const table of tables) {
    const pool = createNamePool(rng, NAMES_HOSTILE)
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
    const { type = 'integer' } = one.columns.find((column) => column.name === target) ?? {}
    const own = toColumns.length === 1 ? prefix : `${prefix} ${target}`.slice(0, 60)
    return plain(own, type, { isNullable: rng.chance(0.8), isIndexed: rng.chance(0.3) })
  })
  if (made.some(({ name: own }) => table.columns.some((column) => column.name === own))) return
  table.columns.push(...made)
  table.foreignKeys.push({
    columns: made.map((column) => column.name),
    to: [one.schema, one.name],
    toColumns,
    onDelete: rng.pick(ACTIONS),
    onUpdate: rng.pick(ACTIONS),
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
    const special = type === 'text' && rng.chance(0.3) ? 'cast-csv' : rng.chance(0.2) ? 'conceal' : null
    const values = {
      collection,
      field: name,
      special,
      note: comment(rng),
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
      type === 'text' && !table.key.includes(name) && !table.foreignKeys.some(({ columns }) => columns.includes(name)),
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

/** A little other than it was: what operators do from one day to the next. */
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
