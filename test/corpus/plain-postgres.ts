// Direct access to PostgreSQL.
import { Client } from 'pg'
import { quote, readTables, structureQuery } from './catalogue-postgres.ts'
import type { Attempt, Cell, Column, Plain } from './model.ts'
import { fieldType, wire } from './wire-postgres.ts'

const session = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex'`

/** Values in the server's text form, as psql prints them. */
const asText = { getTypeParser: () => (text: string) => text }

async function connect(url: string, isText: boolean): Promise<Client> {
  const client = new Client({ connectionString: url, ...(isText ? { types: asText } : {}) })
  client.on('error', () => {})
  await client.connect()
  await client.query(session)
  return client
}

/** The contract shows a geometry as GeoJSON; other types keep their text form. */
function select({ name, base }: Column, from?: string): string {
  const expression = from === undefined ? quote(name) : `${from}.${quote(name)}`
  return base === 'geometry' ? `st_asgeojson(${expression})` : expression
}

/** Types without a `<` operator, and composite types, which are text by the contract. */
const unordered = new Set([
  'json',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'xid',
  'cid',
  'jsonpath',
  'hstore',
  'record',
])

export async function openPostgres(url: string): Promise<Plain> {
  const catalogue = await connect(url, false)
  const tables = await readTables(catalogue)
  await catalogue.end()
  const client = await connect(url, true)
  let last: Promise<unknown> = Promise.resolve()
  // Queries run one after the other.
  const rows: Plain['rows'] = async (text) => {
    const answer = last.then(() => client.query({ text, rowMode: 'array' }))
    last = answer.catch(() => {})
    return (await answer).rows as (readonly Cell[])[]
  }
  const attempt = async (statements: readonly string[]): Promise<Attempt> => {
    await client.query('begin')
    try {
      let found: readonly (readonly Cell[])[] = []
      for (const statement of statements) found = await rows(statement)
      await client.query('set constraints all immediate')
      return { ok: true, rows: found }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    } finally {
      await client.query('rollback')
    }
  }
  return {
    dialect: 'postgres',
    tables,
    rows,
    attempt,
    quote,
    literal: (text) => `'${text.replaceAll("'", "''")}'`,
    select,
    wire,
    fieldType,
    comparable: ({ base, element }, expression) =>
      unordered.has(element ?? base) ? `${expression}::text` : expression,
    isNull: (_, expression) => `${expression} is null`,
    order: (expression, isDescending) => `${expression} ${isDescending ? 'desc nulls first' : 'asc nulls last'}`,
    digest: async ({ sql }) => {
      const [row] = await rows(
        `select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${sql} t`,
      )
      return JSON.stringify(row)
    },
    structure: async () => (await rows(structureQuery)).map(([line]) => String(line)),
    execute: async (statements) => void (await client.query(statements.join(';\n'))),
    close: () => client.end(),
  }
}
