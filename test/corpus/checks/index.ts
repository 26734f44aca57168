import type { Session } from '../session.ts'
import { flags, foreignKeys, readOnly, tables, types } from './catalogue.ts'
import { cursors } from './cursors.ts'
import { copies, deletes, patches } from './dry-runs.ts'
import { graphql } from './graphql.ts'
import { aggregated, counts, filters, sorts } from './queries.ts'
import { manyToMany, toMany, toOne } from './relations.ts'
import { structure } from './structure.ts'
import { addresses, nestedAll, values } from './values.ts'

/** In the order in which they run: checks that change the schema come last. */
export const checks = {
  tables,
  'read-only': readOnly,
  types,
  flags,
  'foreign-keys': foreignKeys,
  values,
  addresses,
  nested: nestedAll,
  'to-one': toOne,
  'to-many': toMany,
  'many-to-many': manyToMany,
  counts,
  aggregates: aggregated,
  sorts,
  filters,
  cursors,
  graphql,
  copies,
  patches,
  deletes,
  structure,
} as const satisfies Readonly<Record<string, (session: Session) => Promise<void>>>

export type CheckName = keyof typeof checks

/** Applies to every check: responses are JSON, and never have status 500. */
export const ANSWERS = 'answers'

export const isCheck = (name: string): name is CheckName => Object.hasOwn(checks, name)
