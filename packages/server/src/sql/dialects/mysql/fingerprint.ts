import type { MirrorScope } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import type { Server } from './capabilities.ts'
import { PUT_AWAY } from './names.ts'
import { serviceTableNames } from '../../service/tables.ts'

/** The served databases: the requested ones, or the one of the connection. */
const servedSchemas = ({ systemSchema, schemas }: MirrorScope): readonly string[] => schemas ?? [systemSchema]

const places = (values: readonly unknown[]) => values.map(() => '?').join(', ')

/**
 * A condition on a catalogue view, and its values. Schema names appear as literals, so the server reads no other
 * schemas.
 */
export function servedBy(scope: MirrorScope): {
  readonly isServed: (alias: string) => string
  readonly values: string[]
} {
  const schemas = servedSchemas(scope)
  return {
    isServed: (alias) =>
      `${alias}.table_schema ${schemas.length === 1 ? '= ?' : `in (${places(schemas)})`}
    and not (${alias}.table_schema = ? and ${alias}.table_name in (${places(serviceTableNames)}))
    and left(${alias}.table_name, ${PUT_AWAY.length}) <> ?`,
    values: [...schemas, scope.systemSchema, ...serviceTableNames, PUT_AWAY],
  }
}

const hash = (parts: string) => `coalesce(sum(conv(left(md5(concat_ws('|', ${parts})), 15), 16, 10)), 0)`

const privileges = (view: string, columns: string) =>
  `(select ${hash(`p.grantee, p.privilege_type, ${columns}`)} from information_schema.${view} p)`

/** Columns that reveal a changed table definition, where the server does not report the time of a change. */
const definitions: readonly (readonly [view: string, columns: string])[] = [
  [
    'columns',
    'd.table_schema, d.table_name, d.column_name, d.ordinal_position, d.column_type, d.is_nullable, d.column_default, d.extra, d.collation_name, d.generation_expression, d.column_comment',
  ],
  ['table_constraints', 'd.table_schema, d.table_name, d.constraint_name, d.constraint_type'],
  ['statistics', 'd.table_schema, d.table_name, d.index_name, d.non_unique, d.seq_in_index, d.column_name, d.sub_part'],
  [
    'key_column_usage',
    'd.table_schema, d.table_name, d.constraint_name, d.column_name, d.referenced_table_schema, d.referenced_table_name, d.referenced_column_name',
  ],
]

/** Triggers of tables, with the columns that `servedBy` expects. */
export const insertTriggers = `(select event_object_schema as table_schema, event_object_table as table_name, trigger_name
    from information_schema.triggers where event_manipulation = 'INSERT' and action_timing = 'BEFORE')`

/**
 * One row with one value, which differs whenever the result of introspection may differ. Where every change of a table
 * rewrites its definition, the time of the change is known to the second. So a definition younger than two seconds
 * counts as changed.
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
  // To find views the server opens every table once more, so it is only asked if there are any.
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
