import { existsSync } from 'node:fs'
import { databaseUrlIn } from '../config/database-url.ts'
import { StartError } from '../schema/start-error.ts'
import { Usage, type Run } from './command.ts'
import { serveRun } from './serve-run.ts'

/** Serves a database for a look at it. Nothing is written: neither rows, nor tables, nor files. */
export const tryDatabase: Run = async (invocation) => {
  const [word = ''] = invocation.operands
  const databaseUrl = databaseUrlIn(word)
  if (databaseUrl === null)
    throw new Usage(
      'The command needs the URL of a database, such as postgres://user@localhost/shop or sqlite:./shop.db, or the path of a .db or .sqlite file.',
    )
  if (databaseUrl !== word && !existsSync(word)) throw new Usage(`There is no file ${word}.`)
  return serveRun(invocation, {
    databaseUrl,
    fixed: { READ_ONLY: 'true' },
    writes: 'nothing: the session is read-only, and settings are kept in memory',
    check({ refusesWrites }) {
      if (!refusesWrites)
        throw new StartError(
          'The database does not confirm that the session is read-only, so nothing was read. Connect to it directly: a pooler in between can drop the parameters of a session.',
        )
    },
  })
}
