import { createHash } from 'node:crypto'
import { STRUCTURE_LEASE, type DdlStatements, type Obstacle, type SchemaChange } from '../../ddl.ts'
import type { Server } from './capabilities.ts'
import { faultOf, isBusy } from './ddl-errors.ts'
import { dependentsOf, indexesOf, mayNotAlter, sizesOf, takenNames } from './ddl-facts.ts'
import { planSteps } from './ddl-steps.ts'
import { described, misfits } from './ddl-types.ts'
import { quoted, quotedTable } from './names.ts'
import { nativeType } from './native-types.ts'

const lockName = (systemSchema: string) =>
  `tain structure ${createHash('sha1').update(systemSchema).digest('hex').slice(0, 40)}`

const leasedText = (systemSchema: string) =>
  `select if(exists (select 1 from ${quotedTable({ schema: systemSchema, table: 'service_locks' })} where name = ? and holder is not null and expires > sysdate(6)), 't', 'f')`

function obstaclesTo(change: SchemaChange): readonly Obstacle[] {
  const { table } = change
  const counted = (kind: Obstacle['kind'], column: string | null, rows: string): Obstacle => ({
    kind,
    table,
    column,
    count: { text: `select count(*) from ${rows}`, values: [] },
  })
  const dependents = (column: string | null): Obstacle => ({
    kind: 'dependent',
    table,
    column,
    count: dependentsOf(table, column),
  })
  const all = quotedTable(table)
  switch (change.kind) {
    case 'add-column': {
      const { name, isNullable, default: value, isCounter } = change.column
      return isNullable || value !== null || isCounter ? [] : [counted('null', name, all)]
    }
    case 'set-not-null':
      return [counted('null', change.column, `${all} where ${quoted(change.column)} is null`)]
    case 'add-unique': {
      const name = quoted(change.column)
      const same = `(select 1 from ${all} where ${name} is not null group by ${name} having count(*) > 1) as same`
      return [counted('duplicate', change.column, same)]
    }
    case 'add-foreign-key': {
      const pairs = [[change.column, change.toColumn] as const, ...(change.rest ?? [])]
      const same = pairs.map(([from, to]) => `o.${quoted(to)} = m.${quoted(from)}`).join(' and ')
      const isSet = pairs.map(([from]) => `m.${quoted(from)} is not null`).join(' and ')
      const found = `select 1 from ${quotedTable(change.to)} as o where ${same}`
      return [counted('dangling', change.column, `${all} as m where ${isSet} and not exists (${found})`)]
    }
    case 'set-type': {
      const misfit = misfits(change.from, change.to)
      const rows = misfit === null ? [] : [counted(misfit.kind, change.column, `${all} where ${misfit.condition}`)]
      return [dependents(change.column), ...rows]
    }
    case 'check-empty': {
      const held = change.column === null ? '' : ` where ${quoted(change.column)} is not null`
      return [counted('populated', change.column, `${all}${held}`)]
    }
    case 'drop-column':
      return [dependents(change.column)]
    case 'drop-table':
      return [dependents(null)]
    default:
      return []
  }
}

export const createDdl = (server: Server): DdlStatements => ({
  reservedColumns: new Set(),
  nameLength: 64,
  nativeType,
  described,
  print: (table) => ({ text: `show create table ${quotedTable(table)}`, values: [] }),
  plan: (changes, _, printed) => planSteps(changes, printed, server.can),
  obstaclesTo,
  permission: mayNotAlter,
  takeBack: ({ name }) => ({ statement: { text: name, values: [] }, isOutside: false }),
  lock: (systemSchema, wait) =>
    server.isClustered
      ? null
      : [{ text: 'select get_lock(?, ?)', values: [lockName(systemSchema), String(Math.ceil(wait / 1000))] }],
  // Connections for schema changes already have a short lock timeout.
  impatience: () => ({ text: 'do 0', values: [] }),
  tryLock: (systemSchema) => ({ text: `select if(get_lock(?, 0) = 1, 't', 'f')`, values: [lockName(systemSchema)] }),
  isUnderWay: (systemSchema) =>
    server.isClustered
      ? { text: leasedText(systemSchema), values: [STRUCTURE_LEASE] }
      : { text: `select if(is_used_lock(?) is null, 'f', 't')`, values: [lockName(systemSchema)] },
  sizes: sizesOf,
  indexes: indexesOf,
  taken: takenNames,
  faultOf,
  isBusy,
})
