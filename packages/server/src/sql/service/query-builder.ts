import {
  DummyDriver,
  Kysely,
  type Generated,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { ServiceColumn, ServiceTable } from './table.ts'
import type { TableName, tables } from './tables.ts'

/** A point in time, in the form of the database. Statements compare and write it, and never return it. */
export type Timestamp = Date

interface ValueTypes {
  readonly boolean: boolean
  readonly integer: number
  readonly counter: number
  readonly bigint: number
  readonly text: string
  readonly uuid: string
  readonly timestamp: Timestamp
  readonly json: string
}

type ValueOf<C extends ServiceColumn> = C extends { readonly isNullable: true }
  ? ValueTypes[C['type']] | null
  : ValueTypes[C['type']]

/** Whether the database gives a value where a statement has none. */
type IsGiven<C, IsNumber> = C extends { readonly default: unknown } | { readonly computed: unknown } ? true : IsNumber

type NumberOf<T extends ServiceTable> = T extends { readonly isNumbered: true } ? T['key'] : never

type CellOf<C extends ServiceColumn, IsNumber> = IsGiven<C, IsNumber> extends true ? Generated<ValueOf<C>> : ValueOf<C>

type RowOf<T extends ServiceTable> = {
  [N in keyof T['columns']]: CellOf<T['columns'][N], N extends NumberOf<T> ? true : false>
}

/** The tables as statements name them. */
export type ServiceDatabase = { [N in TableName]: RowOf<(typeof tables)[N]> }

/** Builds queries for every database; each dialect compiles them. */
const builder = new Kysely<ServiceDatabase>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export const tablesIn = (schema: string): Kysely<ServiceDatabase> => builder.withSchema(schema)
