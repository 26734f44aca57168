import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, databaseUrl, dropDatabase } from './database/create.ts'
import type { Model } from './database/model.ts'
import { type Server, startServer } from '../lib/server.ts'
import { installMetadata } from './rights/install.ts'
import { type Statements, watchStatements } from './statements.ts'

/** A database and the service that runs on it. */
export interface Theatre {
  readonly server: Server
  readonly url: string
  readonly statements: Statements
}

/** Creates a database from the model, starts a service on it and removes both at the end. */
export async function withTheatre<T>(name: string, model: Model, work: (theatre: Theatre) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tain-statements-'))
  const file = join(folder, 'statements.jsonl')
  let server: Server | undefined
  try {
    await createDatabase(name, model)
    const url = databaseUrl(model.dialect, name)
    server = await startServer(url, file, `/items/${encodeURIComponent([...model.tables.keys()][0]!)}?limit=0`)
    await installMetadata(server, model)
    return await work({ server, url, statements: watchStatements(file) })
  } finally {
    await server?.stop()
    await dropDatabase(model.dialect, name)
    rmSync(folder, { recursive: true, force: true })
  }
}
