import { createNamePool, type NamePool } from '../database/names.ts'
import type { Dialect } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import {
  type Column,
  type ColumnType,
  createSchema,
  type Declared,
  type ForeignKey,
  type OnDelete,
  type Schema,
  type Table,
} from './schema.ts'

interface Draft {
  name: string
  columns: Column[]
  key: string[]
  uniques: string[][]
  foreignKeys: ForeignKey[]
  any: null
}

const NAMES = ['ants', 'bees', 'cats', 'dogs', 'eels', 'foxes', 'gnus'] as const

const TYPES: readonly (readonly [number, ColumnType])[] = [
  [5, 'integer'],
  [1, 'bigint'],
  [5, 'text'],
  [3, 'varchar'],
  [2, 'boolean'],
  [2, 'numeric'],
  [1, 'date'],
  [1, 'uuid'],
]

const DEFAULTS: Readonly<Record<ColumnType, string>> = {
  integer: '7',
  bigint: '8',
  text: 'dflt',
  varchar: 'short',
  boolean: 'true',
  numeric: '1.50',
  date: '2024-02-29',
  uuid: '00000000-0000-4000-8000-000000000000',
}

export const column = (name: string, type: ColumnType, options: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  fill: 'none',
  min: null,
  ...options,
})

export function randomSchema(rng: Rng, dialect: Dialect): Schema {
  const drafts: Draft[] = []
  const count = rng.int(2, 4)
  for (let i = 0; i < count; i++) drafts.push(draftTable(rng, dialect, NAMES[i] ?? 'more', drafts))
  if (rng.chance(0.4)) addBackReference(rng, drafts)
  if (rng.chance(0.6)) drafts.push(junction(rng, drafts))
  return createSchema(
    dialect,
    drafts.map((draft): Table => ({ ...draft })),
  )
}

function draftTable(rng: Rng, dialect: Dialect, name: string, others: readonly Draft[]): Draft {
  const draft: Draft = { name, columns: [], key: [], uniques: [], foreignKeys: [], any: null }
  addKey(rng, draft, others)
  draft.columns.push(column('label', 'text'))
  const count = rng.int(1, 4)
  const names = createNamePool(rng, dialect, rng.pick([0, 0.3, 0.7]))
  for (let i = 0; i < count; i++) draft.columns.push(plainColumn(rng, names.column()))
  if (rng.chance(0.5)) addUnique(rng, draft, names)
  const links = rng.weighted([
    [2, 0],
    [5, 1],
    [3, 2],
  ] as const)
  for (let i = 0; i < links; i++) addForeignKey(rng, draft, [...others, draft], i)
  return draft
}

type KeyKind = 'counter' | 'uuid' | 'code' | 'number' | 'pair' | 'part'

/** `part`: the key begins with the key of a parent, like the lines of an order. */
function addKey(rng: Rng, draft: Draft, others: readonly Draft[]): void {
  const parents = others.filter(({ key }) => key.length === 1)
  const kind = rng.weighted<KeyKind>([
    [8, 'counter'],
    [2, 'uuid'],
    [3, 'code'],
    [2, 'number'],
    [2, 'pair'],
    [parents.length > 0 ? 3 : 0, 'part'],
  ])
  const own = (name: string, type: ColumnType, fill: Column['fill'] = 'none') => {
    draft.columns.push(column(name, type, { nullable: false, fill }))
    draft.key.push(name)
  }
  if (kind === 'counter') own('id', 'integer', 'counter')
  if (kind === 'uuid') own('id', 'uuid', 'uuid')
  if (kind === 'code') own('code', 'varchar')
  if (kind === 'number') own('nr', 'integer')
  if (kind === 'part') {
    const parent = rng.pick(parents)
    const name = `${parent.name}_key`
    own(name, typeOfKey(parent))
    const onDelete = rng.pick(['cascade', 'restrict', 'no action'] as const)
    const { declared, ...plain } = reference(rng, [name], parent, onDelete)
    // Another child's key may begin with the same column.
    draft.foreignKeys.push({
      ...plain,
      declared: declared === null ? null : { ...declared, field: `kids_${draft.name}` },
    })
  }
  if (kind === 'pair') own('pre', 'text')
  if (kind === 'pair' || kind === 'part') own('line', 'integer')
}

const typeOfKey = ({ columns, key }: Draft): ColumnType =>
  columns.find(({ name }) => name === key[0])?.type ?? 'integer'

function plainColumn(rng: Rng, name: string): Column {
  const type = rng.weighted(TYPES)
  const nullable = rng.chance(0.7)
  const hasDefault = rng.chance(nullable ? 0.2 : 0.6)
  const isNumber = type === 'integer' || type === 'numeric'
  return column(name, type, {
    nullable,
    fill: hasDefault ? { value: DEFAULTS[type] } : 'none',
    min: isNumber && rng.chance(0.4) ? 0 : null,
  })
}

function addUnique(rng: Rng, draft: Draft, names: NamePool): void {
  const [slug, area] = [names.column(), names.column()]
  draft.columns.push(column(slug, rng.pick(['text', 'integer'] as const), { nullable: rng.chance(0.5) }))
  if (rng.chance(0.7)) draft.uniques.push([slug])
  else {
    draft.columns.push(column(area, 'integer'))
    draft.uniques.push([slug, area])
  }
}

const reference = (rng: Rng, columns: readonly string[], target: Draft, onDelete: OnDelete): ForeignKey => ({
  columns,
  target: target.name,
  targetColumns: target.key,
  onDelete,
  declared: columns.length === 1 && rng.chance(0.3) ? declaration(rng, `kids_${columns.join('_')}`) : null,
})

const declaration = (rng: Rng, field: string): Declared => ({
  field,
  special: 'o2m',
  deselect: rng.pick(['delete', 'nullify'] as const),
  sortField: null,
  junctionField: null,
})

function addForeignKey(rng: Rng, draft: Draft, targets: readonly Draft[], index: number): void {
  const target = rng.pick(targets)
  const nullable = target === draft || rng.chance(0.75)
  const onDelete = rng.weighted<OnDelete>([
    [3, 'cascade'],
    [nullable ? 4 : 0, 'set null'],
    [1, 'restrict'],
    [2, 'no action'],
  ])
  if (target.key.length > 1) {
    // The field of a composite foreign key is named after its table, so there is at most one.
    if (target === draft || draft.foreignKeys.some((other) => other.target === target.name)) return
    const names = target.key.map((part) => `${target.name}_${part}`)
    for (const [at, name] of names.entries()) {
      const type = target.columns.find((other) => other.name === target.key[at])?.type ?? 'text'
      draft.columns.push(column(name, type, { nullable }))
    }
    draft.foreignKeys.push(reference(rng, names, target, onDelete))
    return
  }
  const name = `ref${index}_${draft.name}`
  const code = uniqueOf(target)
  const plain = reference(rng, [name], target, onDelete)
  const isByCode = code !== null && rng.chance(0.5)
  const declared = isByCode ? { ...plain, targetColumns: [code.name] } : plain
  const declaredField = declared.declared
  const hasOrder = declaredField !== null && rng.chance(0.5)
  draft.columns.push(column(name, isByCode ? code.type : typeOfKey(target), { nullable }))
  if (hasOrder) draft.columns.push(column(`sort${index}`, 'integer'))
  draft.foreignKeys.push(
    hasOrder ? { ...declared, declared: { ...declaredField, sortField: `sort${index}` } } : declared,
  )
}

/** A unique column other than the key that a foreign key can reference. */
function uniqueOf({ columns, uniques }: Draft): Column | null {
  const isUnique = ({ name }: Column) => uniques.some((unique) => unique.length === 1 && unique[0] === name)
  return columns.find((candidate) => isUnique(candidate) && !candidate.nullable) ?? null
}

/** A foreign key to a later table, so that tables reference each other in a cycle. */
function addBackReference(rng: Rng, drafts: readonly Draft[]): void {
  const [first] = drafts
  const target = drafts.at(-1)
  if (first === undefined || target === undefined || first === target || target.key.length > 1) return
  // A composite foreign key has taken the name of the reverse field.
  if (target.foreignKeys.some((other) => other.target === first.name && other.columns.length > 1)) return
  first.columns.push(column('back', typeOfKey(target), {}))
  first.foreignKeys.push(reference(rng, ['back'], target, rng.pick(['set null', 'cascade', 'no action'] as const)))
}

function junction(rng: Rng, drafts: readonly Draft[]): Draft {
  const sides = drafts.filter(({ key }) => key.length === 1)
  const draft: Draft = { name: 'links', columns: [], key: [], uniques: [], foreignKeys: [], any: null }
  const pool = sides.length > 0 ? sides : [...drafts]
  for (const side of ['left', 'right']) {
    const target = rng.pick(pool)
    for (const part of target.key) {
      const name = target.key.length === 1 ? `${side}_key` : `${side}_${part}`
      const type = target.columns.find((other) => other.name === part)?.type ?? 'text'
      draft.columns.push(column(name, type, { nullable: false }))
    }
    const columns = draft.columns.slice(-target.key.length).map(({ name }) => name)
    draft.key.push(...columns)
    const onDelete = rng.pick(['cascade', 'cascade', 'no action', 'restrict'] as const)
    draft.foreignKeys.push({ ...reference(rng, columns, target, onDelete), declared: null })
  }
  // Two foreign keys to one table with a composite key would share a name.
  const [left, right] = draft.foreignKeys
  if (left !== undefined && left.target === right?.target && left.columns.length > 1) draft.foreignKeys.pop()
  if (rng.chance(0.4))
    draft.columns.push(column('note', 'text', { fill: { value: 'dflt' }, nullable: rng.chance(0.5) }))
  return draft
}
