import { placeholder } from '../bind.ts'
import type { SwitchStatements } from '../outside.ts'
import { sql, table } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** Before the name of a collection: the table holds other rows as well. */
export const SWITCH = 'triggers '

const given = (parameter: number) => placeholder(parameter, (value) => `${SWITCH}${String(value)}`)

const watch = (schema: string) => table(schema, 'service_watch')

export const switchStatements = ({ text, upsert }: ServiceDialect): SwitchStatements => ({
  switches: (schema) =>
    sql`select substr(name, ${sql.lit(SWITCH.length + 1)}), fingerprint from ${watch(schema)} where name like ${sql.lit(`${SWITCH}%`)}`,
  setSwitch: (schema) =>
    upsert(
      sql`insert into ${watch(schema)} (name, fingerprint) values (${given(0)}, ${text(1)})`,
      ['name'],
      ['fingerprint'],
    ),
  removeSwitch: (schema) => sql`delete from ${watch(schema)} where name = ${given(0)}`,
})
