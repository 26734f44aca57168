import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabase } from '../app/with-database.ts'
import { databaseNameIn, databaseUrlIn, fileInUrl } from '../config/database-url.ts'
import { DEFAULT_ROWS, LEAST_ROWS, MOST_ROWS } from '../demo/counts.ts'
import { blockCollections } from '../demo/pages.ts'
import { isEmpty, writeShop } from '../demo/write-shop.ts'
import { commandConfig } from './command-config.ts'
import { Usage, type Invocation, type Run } from './command.ts'
import { serveRun } from './serve-run.ts'

/** Shops up to this size are written before a person begins to wonder. */
const QUIET_ROWS = 20_000
/** Indexes of a million rows. */
const STATEMENT_TIMEOUT = 600_000
const EXAMPLE = '/items/orders?fields=id,customer.email&limit=3'

/** Serves a generated shop from a temporary file, or writes the shop to a file or an empty database. */
export const demo: Run = async (invocation) => {
  const { options, terminal } = invocation
  const rows = rowsIn(options)
  const out = options['out']
  if (typeof out === 'string') {
    const url = databaseUrlIn(out) ?? `sqlite:${out}`
    const file = fileInUrl(url)
    if (file !== null && existsSync(file))
      throw new Usage(`The file ${file} exists. Remove it, or choose another name.`)
    await write(url, rows, terminal)
    terminal.tell(`${rows.toLocaleString('en')} rows → ${file ?? databaseNameIn(url)}`)
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'tain-demo-'))
  const cleanUp = () => rmSync(folder, { recursive: true, force: true })
  const giveUp = () => {
    cleanUp()
    process.exit(0)
  }
  process.once('SIGINT', giveUp).once('SIGTERM', giveUp)
  try {
    await write(`sqlite:${join(folder, 'shop.db')}`, rows, terminal)
  } catch (error) {
    cleanUp()
    throw error
  } finally {
    process.off('SIGINT', giveUp).off('SIGTERM', giveUp)
  }
  const admin = { email: 'admin@example.com', password: randomBytes(9).toString('base64url') }
  return serveRun(invocation, {
    databaseUrl: `sqlite:${join(folder, 'shop.db')}`,
    fixed: {
      READ_ONLY: 'false',
      SECRET: randomBytes(32).toString('hex'),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      // The cookie of a session would be for that address.
      PUBLIC_URL: '',
    },
    admin,
    prepare: declareBlocks,
    writes: 'a temporary file that is removed at the end',
    example: EXAMPLE,
    cleanUp,
  })
}

function rowsIn({ rows }: Invocation['options']): number {
  if (rows === undefined) return DEFAULT_ROWS
  const count = Number(rows)
  if (!Number.isSafeInteger(count) || count < LEAST_ROWS || count > MOST_ROWS)
    throw new Usage(`--rows takes a whole number from ${LEAST_ROWS} to ${MOST_ROWS}.`)
  return count
}

async function write(url: string, rows: number, terminal: Invocation['terminal']): Promise<void> {
  const progress = rows > QUIET_ROWS ? terminal.progress('rows written', rows) : null
  const config = { ...commandConfig({ DATABASE_URL: url, READ_ONLY: 'false' }), statementTimeout: STATEMENT_TIMEOUT }
  await withDatabase(config, 'tain demo', async (database) => {
    if (!(await isEmpty(database)))
      throw new Usage('The database has tables already. The shop is written to an empty database only.')
    await writeShop(database, rows, (done) => progress?.advance(done))
  })
  progress?.end()
}

/** A key that can belong to any of several tables has no foreign key, so the relation is declared as metadata. */
const blockCalls = [
  ['POST', '/fields/pages', { field: 'blocks', type: 'alias', meta: { special: ['m2a'] }, schema: null }],
  [
    'PATCH',
    '/relations/pages_blocks/page',
    { meta: { one_field: 'blocks', junction_field: 'item', sort_field: 'sort' } },
  ],
  [
    'POST',
    '/relations',
    {
      collection: 'pages_blocks',
      field: 'item',
      related_collection: null,
      meta: {
        one_collection_field: 'collection',
        one_allowed_collections: blockCollections,
        junction_field: 'page',
      },
    },
  ],
] as const

async function declareBlocks(origin: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (const [method, path, body] of blockCalls) {
    const response = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`the blocks of the demo were not declared: ${text}`)
  }
}
