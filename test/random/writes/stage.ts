import { databaseUrl, retry } from '../database/create.ts'
import type { Origin } from '../database/random-model.ts'
import { createRng } from '../rng.ts'
import { type Server, startServer } from '../../lib/server.ts'
import { declareRelations } from './declare.ts'
import { fixedSchema } from './fixed-schema.ts'
import type { WriteRequest } from './predict.ts'
import { randomSchema } from './random-schema.ts'
import type { Schema } from './schema.ts'
import type { Stored } from './match-rows.ts'
import { startState } from './start.ts'
import type { State } from './state.ts'
import { openStore, type Store } from './store.ts'

/** Every fourth schema is the fixed one, with other rows. */
const FIXED_EVERY = 4

export interface Session {
  readonly database: string
  readonly schema: Schema
  readonly start: State
  readonly server: Server
  readonly store: Store
}

function sessionModel({ seed, schema: number, dialect }: Origin): { readonly schema: Schema; readonly start: State } {
  const rng = createRng(seed, number)
  const schema = number % FIXED_EVERY === 0 ? fixedSchema(dialect) : randomSchema(rng, dialect)
  return { schema, start: startState(rng, schema) }
}

/** One random database with its service. */
export async function withSession<T>(origin: Origin, work: (session: Session) => Promise<T>): Promise<T> {
  const name = `tain_model_${process.pid}_${origin.schema}`
  const { schema, start } = sessionModel(origin)
  const store = await openStore(name, schema)
  try {
    const [first = ''] = schema.tables.keys()
    const server = await retry(() => startServer(databaseUrl(origin.dialect, name), null, `/items/${first}`))
    try {
      await declareRelations(server, schema)
      return await work({ database: name, schema, start, server, store })
    } finally {
      await server.stop()
    }
  } finally {
    await store.close()
  }
}

export async function readStored({ store, schema }: Pick<Session, 'store' | 'schema'>): Promise<Stored> {
  const tables = JSON.parse(await store.read()) as (string | null)[][][]
  return new Map([...schema.tables.keys()].map((name, index) => [name, tables[index] ?? []]))
}

export async function resetRows({ store, start }: Session): Promise<State> {
  await store.reset(start)
  return start
}

export function pathOf({ table, key, onConflict }: WriteRequest): string {
  const address = `/items/${table}${key === null ? '' : `/${key}`}`
  return onConflict === null ? address : `${address}?on_conflict=${encodeURIComponent(onConflict)}`
}
