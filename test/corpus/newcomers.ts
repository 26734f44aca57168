// Objects that may be created in a database at any time: a table, a junction, a schema. Relations inferred from them
// would claim the names of existing relations.
import { columnOf, type Plain, type Table } from './model.ts'
import type { Session } from './session.ts'

export interface Newcomers {
  readonly statements: readonly string[]
  /** A collection that appears once the service has noticed the change. */
  readonly collection: string
}

const JUNCTION = 'aa_junction'

const reference = (plain: Plain, table: Table): { type: string; key: string } => {
  const [key = ''] = table.key
  return { type: columnOf(table, key).type, key: plain.quote(key) }
}

/** A column that references the table, quoted for every database. */
const column = (plain: Plain, name: string, table: Table): string =>
  `${plain.quote(name)} ${reference(plain, table).type}`

const link = (plain: Plain, name: string, table: Table): string =>
  `foreign key (${plain.quote(name)}) references ${table.sql} (${reference(plain, table).key})`

const hasNumberKey = (plain: Plain, table: Table): boolean =>
  table.kind === 'table' &&
  table.key.length === 1 &&
  table.isTransactional &&
  table.isAlterable &&
  plain.fieldType(columnOf(table, table.key[0] ?? '')) === 'integer'

/** Two tables that already have a junction between them, or any two. */
function pairOf({ plain, served, named }: Session): readonly [Table, Table] {
  const fits = (table: Table) => hasNumberKey(plain, table)
  for (const relation of named)
    if (
      relation.kind === 'through' &&
      relation.from !== relation.far.to &&
      fits(relation.from) &&
      fits(relation.far.to)
    )
      return [relation.from, relation.far.to]
  const [first, second = first] = served.map(({ table }) => table).filter(fits)
  if (first === undefined || second === undefined) throw new Error('there is no table with a number as its key')
  return [first, second]
}

/** For a table `a_b` with a foreign key, creates a table `b` in a schema `a` with a foreign key to the same table. */
function namesake({ plain, served }: Session): readonly string[] {
  const schemas = new Set(served.map(({ table }) => table.schema))
  for (const { table } of served) {
    const [, schema, name] = /^([a-z]+)_([a-z_]+)$/u.exec(table.collection) ?? []
    const to = table.foreignKeys.find((key) => hasNumberKey(plain, key.to))?.to
    if (schema === undefined || name === undefined || to === undefined || schemas.has(schema)) continue
    return [
      `create schema ${plain.quote(schema)}`,
      `create table ${plain.quote(schema)}.${plain.quote(name)} (id int primary key, ${column(plain, 'up_id', to)}, ${link(plain, 'up_id', to)})`,
    ]
  }
  return []
}

export function newcomersOf(session: Session): Newcomers {
  const { plain } = session
  const [first, second] = pairOf(session)
  const parts = [column(plain, 'a_id', first), column(plain, 'b_id', second), 'primary key (a_id, b_id)']
  const links = [link(plain, 'a_id', first), link(plain, 'b_id', second)]
  return {
    statements: [
      'create table zz_newcomer (id int primary key, note text)',
      `create table ${JUNCTION} (${[...parts, ...links].join(', ')})`,
      `create table aa_child (id int primary key, ${column(plain, 'a_id', first)}, ${column(plain, 'b_id', first)},
        ${link(plain, 'a_id', first)}, ${link(plain, 'b_id', first)})`,
      ...(plain.dialect === 'postgres' ? namesake(session) : []),
    ],
    collection: JUNCTION,
  }
}
