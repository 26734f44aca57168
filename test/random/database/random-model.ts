import type { AnyRelation, Cell, Column, Dialect, ForeignKey, Model, Relation, Row, Table } from './model.ts'
import { inferRelations, junctionKeys } from './relations.ts'
import { createRng, type Rng } from '../rng.ts'
import { fitted } from './dialect.ts'
import { fillSchema } from './rows.ts'
import { randomSchema } from './schema.ts'
import { toText } from './values.ts'
import { type Cast, randomCast } from '../rights/cast.ts'

/** What a random database is made from. */
export interface Origin {
  readonly seed: number
  readonly schema: number
  readonly dialect: Dialect
  /** No hostile names. */
  readonly isPlain?: boolean
}

export const randomModel = (origin: Origin): Model => modelFrom(createRng(origin.seed, origin.schema), origin)

const modelFrom = (rng: Rng, { dialect, isPlain }: Origin): Model =>
  fitted(fillSchema(rng, randomSchema(rng, dialect, isPlain)), dialect)

/** A random database whose rows contain the keys of the callers. */
export interface Stage {
  readonly model: Model
  readonly cast: Cast
}

export function randomStage(origin: Origin): Stage {
  const { seed, schema, dialect } = origin
  const rng = createRng(seed, schema)
  const cast = randomCast(rng, dialect)
  const model = modelFrom(rng, origin)
  const whole = declareLists(rng, addAny(rng, mention(rng, model, cast)))
  return { model: stirred(createRng(seed, schema, 9), whole), cast }
}

/** Shuffles the rows of each table, so that reliance on insertion order shows. */
const stirred = (rng: Rng, model: Model): Model => ({
  ...model,
  rows: new Map([...model.rows].map(([collection, rows]) => [collection, rng.shuffle(rows)])),
})

/** Columns that are not part of a key, a unique constraint or a foreign key. */
function freeColumns({ columns, key, uniques, foreignKeys }: Table): Column[] {
  const bound = new Set([...key, ...uniques, ...foreignKeys.flatMap((foreignKey) => foreignKey.columns)])
  return columns.filter(({ name }) => !bound.has(name))
}

/** Writes the keys of users, roles and policies into columns that can store them. */
function mention(rng: Rng, model: Model, cast: Cast): Model {
  const rows = [...model.rows].map(([collection, list]): [string, Row[]] => {
    const table = model.tables.get(collection)!
    const columns = freeColumns(table).filter(({ type }) => ['uuid', 'text', 'varchar'].includes(type))
    const changed = list.map((row) => {
      const copy = new Map(row)
      for (const { name, type } of columns)
        if (rng.chance(0.4) && copy.get(name) !== null)
          copy.set(name, rng.pick(type === 'uuid' ? cast.ids : cast.words))
      return copy
    })
    return [collection, changed]
  })
  return { ...model, rows: new Map(rows) }
}

const column = (name: string, type: Column['type'], isKey = false): Column => ({
  name,
  type,
  nullable: !isKey,
  identity: isKey,
  enumType: null,
})

/** Adds a table with a many-to-any field, sometimes as a child of another table. */
function addAny(rng: Rng, model: Model): Model {
  const targets = [...model.tables.values()].filter(
    ({ key, collection }) => key.length === 1 && /^\w+$/.test(collection),
  )
  if (targets.length === 0 || !rng.chance(0.5)) return model
  const allowed = rng.sample(targets, 1, 3).map(({ collection }) => collection)
  const owner = rng.chance(0.7) ? rng.pick(targets) : null
  const ownerKey = owner?.columns.find(({ name }) => name === owner.key[0])
  const foreignKeys: ForeignKey[] =
    owner === null ? [] : [{ columns: ['holder'], target: owner.collection, targetColumns: owner.key }]
  const table: Table = {
    schema: 'public',
    name: 'parts',
    collection: 'parts',
    columns: [
      column('id', 'integer', true),
      column('item', 'text'),
      column('collection', 'text'),
      column('note', 'text'),
      ...(ownerKey === undefined ? [] : [column('holder', ownerKey.type)]),
    ],
    key: ['id'],
    uniques: [],
    foreignKeys,
  }
  const any: AnyRelation = { field: 'item', collectionColumn: 'collection', allowed }
  const tables = [...model.tables.values(), table]
  const count = rng.int(3, 15)
  const rows = Array.from({ length: count }, (_, index) => anyRow(rng, model, any, owner, index + 1))
  return {
    ...model,
    tables: new Map(tables.map((entry) => [entry.collection, entry])),
    rows: new Map([...model.rows, ['parts', rows]]),
    relations: inferRelations(tables),
    anys: new Map([['parts', any]]),
  }
}

function anyRow(rng: Rng, model: Model, any: AnyRelation, owner: Table | null, id: number): Row {
  const target = model.tables.get(rng.pick(any.allowed))!
  const pick = (table: Table): Cell => {
    const rows = model.rows.get(table.collection)!
    return rows.length === 0 || rng.chance(0.2) ? null : rng.pick(rows).get(table.key[0]!)!
  }
  const key = pick(target)
  const { type } = target.columns.find(({ name }) => name === target.key[0])!
  const row = new Map<string, Cell>([
    ['id', id],
    ['item', key === null ? null : toText(type, key)],
    ['collection', rng.chance(0.1) ? null : target.collection],
    ['note', rng.pick(['a', 'b', null])],
  ])
  if (owner !== null) row.set('holder', pick(owner))
  return row
}

/** Renames some reverse fields, as an administrator would. */
function declareLists(rng: Rng, model: Model): Model {
  let serial = 0
  const relations = [...model.relations].map(([collection, fields]): [string, Map<string, Relation>] => {
    const renamed = [...fields.values()].map((relation): Relation => {
      if (relation.kind !== 'many' || relation.link.far.length > 1) return relation
      const child = model.tables.get(relation.target)!
      // The old name would pass to the relation through a junction that came second.
      if ([...fields.keys()].some((name) => name.startsWith(`${relation.field}_via_`))) return relation
      if (child.key.length === 0 || junctionKeys(child) !== null || !rng.chance(0.4)) return relation
      serial += 1
      return { ...relation, field: `list_${serial}`, isDeclared: true }
    })
    return [collection, new Map(renamed.map((relation) => [relation.field, relation]))]
  })
  return { ...model, relations: new Map(relations) }
}
