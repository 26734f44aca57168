import { createHash } from 'node:crypto'
import { escape } from 'mysql2'
import type { TableRef } from '../../ddl.ts'

export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

export const quotedTable = ({ schema, table }: TableRef): string => `${quoted(schema)}.${quoted(table)}`

/** Definitions take no binds. Backslashes escape in every session of the service. */
export const literal = (text: string): string => escape(text)

/** Prefix of objects that a schema change has put away until it is certain. Such objects are not served. */
export const PUT_AWAY = 'service_gone_'

export const putAway = (what: string): string =>
  `${PUT_AWAY}${createHash('sha256').update(what).digest('hex').slice(0, 16)}`
