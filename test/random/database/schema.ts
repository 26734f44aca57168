import { createNamePool, type NamePool } from './names.ts'
import type { Column, ColumnType, Dialect, EnumType, ForeignKey, Table } from './model.ts'
import { flatName } from './relations.ts'
import type { Rng } from '../rng.ts'

interface Draft {
  schema: string
  name: string
  collection: string
  columns: Column[]
  key: string[]
  uniques: string[]
  foreignKeys: ForeignKey[]
  isJunction: boolean
  /** Column names must differ within one table; other tables may reuse them. */
  names: NamePool
}

type KeyKind = 'integer' | 'bigint' | 'text' | 'uuid' | 'composite' | 'none'

const KEY_KINDS: readonly (readonly [number, KeyKind])[] = [
  [45, 'integer'],
  [8, 'bigint'],
  [12, 'text'],
  [12, 'uuid'],
  [14, 'composite'],
  [9, 'none'],
]

const COLUMN_TYPES: readonly (readonly [number, ColumnType])[] = [
  [14, 'integer'],
  [8, 'bigint'],
  [10, 'numeric'],
  [4, 'real'],
  [16, 'text'],
  [10, 'varchar'],
  [8, 'boolean'],
  [7, 'date'],
  [4, 'time'],
  [6, 'timestamp'],
  [7, 'timestamptz'],
  [4, 'json'],
  [4, 'jsonb'],
  [4, 'uuid'],
  [4, 'integer[]'],
  [4, 'text[]'],
  [7, 'enum'],
]

const SIMPLE_TYPES = COLUMN_TYPES.filter(([, type]) => !type.startsWith('json') && !type.endsWith('[]'))

const ENUMS: readonly EnumType[] = [
  { name: 'mood', values: ['calm', 'Happy', 'grumpy', `it's "so"`] },
  { name: 'Odd "type"', values: ['z', 'a', '50%_', 'ünï', 'two words'] },
]

export interface RandomSchema {
  readonly enums: readonly EnumType[]
  readonly tables: readonly Table[]
}

/** With plain names only, a failure concerns semantics and not escaping. */
export function randomSchema(rng: Rng, dialect: Dialect, isPlain = false): RandomSchema {
  const hostileShare = rng.pick(isPlain ? [0] : [0.1, 0.3, 0.7])
  const newPool = (): NamePool => createNamePool(rng, dialect, hostileShare)
  const tableNames = newPool()
  const otherSchema = rng.chance(0.3) ? rng.pick(isPlain ? ['depot'] : ['depot', 'Other Schema', `o'"ther`]) : null
  const count = rng.int(2, 6)
  const junctions =
    count >= 3
      ? rng.weighted([
          [5, 0],
          [4, 1],
          [count >= 5 ? 2 : 0, 2],
        ] as const)
      : 0
  const drafts: Draft[] = []
  for (let i = 0; i < count - junctions; i++) drafts.push(draftTable(rng, drafts, tableNames, otherSchema, newPool))
  if (drafts.every((draft) => draft.key.length === 0)) addKey(rng, drafts[0]!, 'integer')
  for (const draft of drafts) addColumns(rng, draft)
  for (const draft of drafts) addKeyReference(rng, draft, drafts)
  for (const draft of drafts) addForeignKeys(rng, draft, drafts)
  for (let i = 0; i < junctions; i++) addJunction(rng, drafts, tableNames, newPool)
  if (rng.chance(0.08)) addShadow(rng, drafts)
  return { enums: ENUMS, tables: drafts.map(toTable) }
}

function toTable({ names: _names, isJunction: _isJunction, ...table }: Draft): Table {
  return table
}

function emptyDraft(rng: Rng, schema: string, name: string, newPool: () => NamePool): Draft {
  const collection = schema === 'public' ? name : `${schema}.${name}`
  const names = newPool()
  return { schema, name, collection, columns: [], key: [], uniques: [], foreignKeys: [], names, isJunction: false }
}

function draftTable(
  rng: Rng,
  others: readonly Draft[],
  names: NamePool,
  otherSchema: string | null,
  newPool: () => NamePool,
): Draft {
  const schema = otherSchema !== null && rng.chance(0.35) ? otherSchema : 'public'
  const twin = others.find((other) => other.schema !== schema)
  // The same table name in two schemas must give two collections.
  const name = schema !== 'public' && twin !== undefined && rng.chance(0.3) ? twin.name : names.table()
  const draft = emptyDraft(rng, schema, name, newPool)
  const isClash = others.some((other) => flatName(other.collection) === flatName(draft.collection))
  if (isClash) return draftTable(rng, others, names, otherSchema, newPool)
  addKey(rng, draft, rng.weighted(KEY_KINDS))
  return draft
}

function column(name: string, type: ColumnType, options: Partial<Column> = {}): Column {
  return { name, type, nullable: true, identity: false, enumType: null, ...options }
}

function addKey(rng: Rng, draft: Draft, kind: KeyKind): void {
  if (kind === 'none') return
  if (kind === 'composite') {
    for (const type of [rng.pick(['integer', 'text'] as const), rng.pick(['integer', 'text', 'uuid'] as const)]) {
      const name = draft.names.column()
      draft.columns.push(column(name, type, { nullable: false }))
      draft.key.push(name)
    }
    // The order of the key may differ from the order of the columns.
    if (rng.chance(0.3)) draft.key.reverse()
    return
  }
  const name = rng.chance(0.7) ? 'id' : draft.names.column()
  const identity = (kind === 'integer' || kind === 'bigint') && rng.chance(0.7)
  draft.columns.push(column(name, kind, { nullable: false, identity }))
  draft.key.push(name)
}

function addColumns(rng: Rng, draft: Draft): void {
  const types = draft.key.length === 0 ? SIMPLE_TYPES : COLUMN_TYPES
  const count = rng.int(2, 6)
  for (let i = 0; i < count; i++) draft.columns.push(plainColumn(rng, draft.names.column(), rng.weighted(types)))
  if (draft.key.length === 0 || !rng.chance(0.25)) return
  const name = rng.chance(0.5) ? 'code' : draft.names.column()
  draft.columns.push(
    column(name, rng.pick(['integer', 'text', 'uuid', 'bigint'] as const), { nullable: rng.chance(0.5) }),
  )
  draft.uniques.push(name)
}

function plainColumn(rng: Rng, name: string, type: ColumnType): Column {
  return column(name, type, { nullable: rng.chance(0.85), enumType: type === 'enum' ? rng.pick(ENUMS) : null })
}

function addForeignKeys(rng: Rng, draft: Draft, drafts: readonly Draft[]): void {
  const count = rng.weighted([
    [3, 0],
    [5, 1],
    [4, 2],
    [2, 3],
  ] as const)
  for (let i = 0; i < count; i++) {
    const target = rng.pick(drafts.filter((candidate) => candidate.key.length > 0))
    if (!canRefer(draft, target)) continue
    addForeignKey(rng, draft, target)
    // Two foreign keys to one table are worth testing more often than they occur by chance.
    if (rng.chance(0.2)) addForeignKey(rng, draft, target)
  }
}

/** A key column that references another table's key; only earlier tables, so that keys can be generated in order. */
function addKeyReference(rng: Rng, draft: Draft, drafts: readonly Draft[]): void {
  if (draft.key.length === 0 || !rng.chance(draft.key.length > 1 ? 0.35 : 0.06)) return
  const { name, type } = draft.columns.find((candidate) => candidate.name === draft.key[0])!
  const target = drafts
    .slice(0, drafts.indexOf(draft))
    .find(
      ({ key, columns }) => key.length === 1 && columns.some((other) => other.name === key[0] && other.type === type),
    )
  if (target !== undefined)
    draft.foreignKeys.push({ columns: [name], target: target.collection, targetColumns: target.key })
}

/** A composite foreign key takes its target's name, so no field may lead back under the same name. */
function canRefer(draft: Draft, target: Draft): boolean {
  const leadsBack = target.foreignKeys.some((key) => key.columns.length > 1 && key.target === draft.collection)
  return !leadsBack
}

function addForeignKey(rng: Rng, draft: Draft, target: Draft): void {
  const unique = target.uniques[0]
  if (unique !== undefined && rng.chance(0.4)) return link(rng, draft, target, [unique], true)
  if (target.key.length === 1) return link(rng, draft, target, target.key, rng.chance(0.85))
  const isBlocked =
    target === draft ||
    target.foreignKeys.some((key) => key.target === draft.collection) ||
    draft.foreignKeys.some((key) => key.columns.length > 1 && key.target === target.collection)
  if (!isBlocked) link(rng, draft, target, target.key, true)
}

function link(rng: Rng, draft: Draft, target: Draft, targetColumns: readonly string[], nullable: boolean): void {
  const columns: string[] = []
  for (const targetColumn of targetColumns) {
    const { type } = target.columns.find((candidate) => candidate.name === targetColumn)!
    const name = draft.names.link()
    draft.columns.push(column(name, type, { nullable: nullable || target === draft }))
    columns.push(name)
  }
  draft.foreignKeys.push({ columns, target: target.collection, targetColumns })
}

/** The ends differ, and each pair of tables has at most one junction, so the field names are unambiguous. */
function addJunction(rng: Rng, drafts: Draft[], names: NamePool, newPool: () => NamePool): void {
  const candidates = drafts.filter((draft) => draft.key.length > 0 && !draft.isJunction)
  const ends = rng.sample(candidates, 2, 2)
  const [near, far] = ends
  if (near === undefined || far === undefined) return
  const isLinked = drafts.some(
    (draft) => draft.isJunction && ends.every((end) => draft.foreignKeys.some((key) => key.target === end.collection)),
  )
  if (isLinked) return
  const draft: Draft = { ...emptyDraft(rng, 'public', names.table(), newPool), isJunction: true }
  if (drafts.some((other) => flatName(other.collection) === flatName(draft.collection))) return
  for (const [prefix, end] of [
    ['near', near],
    ['far', far],
  ] as const)
    addJunctionEnd(rng, draft, end, prefix)
  draft.key.push(...draft.foreignKeys.flatMap((key) => key.columns))
  const payload = rng.int(0, 2)
  for (let i = 0; i < payload; i++)
    draft.columns.push(plainColumn(rng, draft.names.column(), rng.weighted(COLUMN_TYPES)))
  drafts.push(draft)
}

function addJunctionEnd(rng: Rng, draft: Draft, end: Draft, prefix: string): void {
  const unique = end.uniques.find((name) => end.columns.some((column) => column.name === name && !column.nullable))
  const targetColumns = unique !== undefined && rng.chance(0.3) ? [unique] : end.key
  const columns: string[] = []
  for (const targetColumn of targetColumns) {
    const { type } = end.columns.find((candidate) => candidate.name === targetColumn)!
    const name = `${prefix}${columns.length === 0 ? '' : '2'}`
    draft.columns.push(column(name, type, { nullable: false }))
    columns.push(name)
  }
  draft.foreignKeys.push({ columns, target: end.collection, targetColumns })
}

/** A column named like a child table: the column keeps the name, and the inferred field gets its qualified name. */
function addShadow(rng: Rng, drafts: readonly Draft[]): void {
  const children = drafts.filter((draft) => draft.foreignKeys.length > 0)
  if (children.length === 0) return
  const child = rng.pick(children)
  const key = rng.pick(child.foreignKeys)
  const target = drafts.find((draft) => draft.collection === key.target)!
  const isSingle = child.foreignKeys.filter((other) => other.target === key.target).length === 1
  if (isSingle) target.columns.push(column(flatName(child.collection), 'text'))
}
