import { createDatabase, databaseUrl, dropDatabase } from '../property/database.ts'
import type { Model } from '../property/model.ts'
import { type Server, startServer } from '../property/server.ts'
import { installMetadata } from './install.ts'

/** A database and the service that runs on it. */
export interface Theatre {
  readonly server: Server
  readonly url: string
}

/** Creates a database from the model, starts a service on it and removes both at the end. */
export async function withTheatre<T>(name: string, model: Model, work: (theatre: Theatre) => Promise<T>): Promise<T> {
  let server: Server | undefined
  try {
    await createDatabase(name, model)
    const url = databaseUrl(name)
    server = await startServer(url, null, `/items/${encodeURIComponent([...model.tables.keys()][0]!)}?limit=0`)
    await installMetadata(server, model)
    return await work({ server, url })
  } finally {
    await server?.stop()
    await dropDatabase(name)
  }
}
