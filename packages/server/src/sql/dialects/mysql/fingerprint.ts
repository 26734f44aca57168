import type { MirrorScope } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import { PUT_AWAY } from './names.ts'
import { ownNames } from './service-tables.ts'

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

const rights = (view: string, columns: string) =>
  `(select ${hash(`p.grantee, p.privilege_type, ${columns}`)} from information_schema.${view} p)`

/**
 * One row, one value: it differs whenever what introspection would find may differ. Every change of a table writes its
 * definition anew, and the time of that is known to the second: what is younger than two seconds counts as changed.
 */
export function fingerprintStatement(scope: MirrorScope): Statement {
  const { isServed, values } = servedBy(scope)
  const text = `select md5(concat_ws(' ', current_user(),
    (select concat_ws(' ', count(*), ${hash('t.table_schema, t.table_name, t.table_type, t.create_time, t.table_comment')},
        if(max(t.create_time) > now() - interval 2 second, now(6), ''))
      from information_schema.tables t where ${isServed('t')}),
    (select ${hash('v.table_schema, v.table_name, v.view_definition')}
      from information_schema.views v where ${isServed('v')}),
    ${rights('user_privileges', 'p.table_catalog')},
    ${rights('schema_privileges', 'p.table_schema')},
    ${rights('table_privileges', 'p.table_schema, p.table_name')},
    ${rights('column_privileges', 'p.table_schema, p.table_name, p.column_name')}))`
  return { text, values: [...values, ...values], name: 'mirror-fingerprint' }
}
