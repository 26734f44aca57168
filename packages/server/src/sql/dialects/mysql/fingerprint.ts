import type { MirrorScope } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import type { Server } from './capabilities.ts'
import { PUT_AWAY } from './names.ts'
import { ownNames } from '../../service-tables.ts'

/** Which databases are served: those asked for, or the one that is connected to. */
const servedSchemas = ({ systemSchema, schemas }: MirrorScope): readonly string[] => schemas ?? [systemSchema]

const places = (values: readonly unknown[]) => values.map(() => '?').join(', ')

/** A condition on a view of the catalogue, and its values. Schemas stand there as such: the server then reads no others. */
export function servedBy(scope: MirrorScope): {
  readonly isServed: (alias: string) => string
  readonly values: string[]
} {
  const schemas = servedSchemas(scope)
  const own = ownNames(scope.ownTables)
  return {
    isServed: (alias) =>
      `${alias}.table_schema ${schemas.length === 1 ? '= ?' : `in (${places(schemas)})`}
    and not (${alias}.table_schema = ? and ${alias}.table_name in (${places(own)}))
    and left(${alias}.table_name, ${PUT_AWAY.length}) <> ?`,
    values: [...schemas, scope.systemSchema, ...own, PUT_AWAY],
  }
}

const hash = (parts: string) => `coalesce(sum(conv(left(md5(concat_ws('|', ${parts})), 15), 16, 10)), 0)`

const privileges = (view: string, columns: string) =>
  `(select ${hash(`p.grantee, p.privilege_type, ${columns}`)} from information_schema.${view} p)`

/** What tells a change of a table from its definition, where the time of it is not told. */
const definitions: readonly (readonly [view: string, columns: string])[] = [
  [
    'columns',
    'd.table_schema, d.table_name, d.column_name, d.ordinal_position, d.column_type, d.is_nullable, d.column_default, d.extra, d.collation_name, d.generation_expression, d.column_comment',
  ],
  ['statistics', 'd.table_schema, d.table_name, d.index_name, d.non_unique, d.seq_in_index, d.column_name, d.sub_part'],
  [
    'key_column_usage',
    'd.table_schema, d.table_name, d.constraint_name, d.column_name, d.referenced_table_schema, d.referenced_table_name, d.referenced_column_name',
  ],
]

/** Triggers of tables, in the shape that `servedBy` asks for. */
export const insertTriggers = `(select event_object_schema as table_schema, event_object_table as table_name, trigger_name
    from information_schema.triggers where event_manipulation = 'INSERT' and action_timing = 'BEFORE')`

/**
 * One row, one value: it differs whenever what introspection would find may differ. Where every change of a table writes
 * its definition anew, the time of that is known to the second: what is younger than two seconds counts as changed.
 */
export const createFingerprint =
  (server: Server) =>
  (scope: MirrorScope): Statement =>
    fingerprintStatement(scope, server.can.datesChanges)

export function fingerprintStatement(scope: MirrorScope, datesChanges = true): Statement {
  const { isServed, values } = servedBy(scope)
  const defined = datesChanges
    ? []
    : definitions.map(
        ([view, columns]) => `
    (select ${hash(columns)} from information_schema.${view} d where ${isServed('d')}),`,
      )
  // To find the views the server opens every table once more, so it is not asked where there are none.
  const text = `select md5(concat_ws(' ', current_user(), s.tables,
    if(s.views > 0, (select ${hash('v.table_schema, v.table_name, v.view_definition')}
      from information_schema.views v where ${isServed('v')}), ''),${defined.join('')}
    (select ${hash('g.table_schema, g.table_name, g.trigger_name')} from ${insertTriggers} g where ${isServed('g')}),
    ${privileges('user_privileges', 'p.table_catalog')},
    ${privileges('schema_privileges', 'p.table_schema')},
    ${privileges('table_privileges', 'p.table_schema, p.table_name')},
    ${privileges('column_privileges', 'p.table_schema, p.table_name, p.column_name')}))
    from (select concat_ws(' ', count(*), ${hash('t.table_schema, t.table_name, t.table_type, t.create_time, t.table_comment')},
        if(max(t.create_time) > now() - interval 2 second, now(6), '')) as tables, coalesce(sum(t.table_type = 'VIEW'), 0) as views
      from information_schema.tables t where ${isServed('t')}) as s`
  const times = 3 + defined.length
  return { text, values: Array.from({ length: times }, () => values).flat(), name: 'mirror-fingerprint' }
}
