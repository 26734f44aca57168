import { createConnection, type Connection } from 'mysql2/promise'
import type { Item, SuiteDatabase } from './database.ts'

/** Rewrites PostgreSQL syntax in the suite's own statements. */
const words: readonly (readonly [RegExp, string])[] = [
  [
    /select count\(\*\)::int as n from pg_class .*$/u,
    "select count(*) as n from information_schema.tables where table_schema = database() and concat_ws(',', ?) is not null",
  ],
  [
    /to_regclass\('public\.(\w+)'\)/gu,
    "(select table_name from information_schema.tables where table_schema = database() and table_name = '$1')",
  ],
  [
    /to_regclass\(\$1\)/gu,
    '(select table_name from information_schema.tables where table_schema = database() and table_name = substr(?, 8))',
  ],
  [
    /^select \* from information_schema\.columns/u,
    `select data_type, column_default, is_nullable, character_maximum_length, numeric_precision, numeric_scale,
      exists (select 1 from information_schema.check_constraints k where k.constraint_schema = columns.table_schema
        and k.table_name = columns.table_name and k.constraint_name = columns.column_name
        and k.check_clause like 'json_valid(%') as is_json
    from information_schema.columns`,
  ],
  [/where table_schema = \$1 and/gu, "where table_schema = if(? = 'public', database(), '') and"],
  [/ n \/ (\d+)/gu, ' n div $1'],
  [/generate_series\((\d+), (\d+)\) n/gu, '(select seq as n from seq_$1_to_$2) n'],
  [/generate_series\(1, \$1::int\)/gu, '(select seq from seq_1_to_100000 where seq <= ?) n'],
  [/order by (\w+) nulls last/gu, 'order by $1 is null, $1'],
  [/ default values$/gu, ' () values ()'],
  [/::int\b/gu, ''],
  [/\$\d/gu, '?'],
]

const inOurWords = (text: string) => words.reduce((said, [theirs, ours]) => said.replace(theirs, ours), text)

const SESSION = `set session time_zone = '+00:00', session collation_connection = 'utf8mb4_nopad_bin'`
/** The suite uses the quoting and concatenation of PostgreSQL; the fixture uses the server's own syntax. */
const THEIRS = `set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES'`

/** Opens a session per task: an idle session would keep the suite's processes from ending. */
async function inSession<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({
    uri: url,
    multipleStatements: true,
    dateStrings: true,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    typeCast: (field, next) => {
      if (field.type === 'LONGLONG' && field.name !== 'n' && field.name !== 'found') return field.string()
      if ((field.type === 'TINY' && field.length === 1) || field.name === 'found') {
        const text = field.string()
        return text === null ? null : text === '1'
      }
      return next()
    },
  })
  try {
    await connection.query(SESSION)
    return await work(connection)
  } finally {
    await connection.end()
  }
}

const rowsOf = (answer: unknown): readonly Item[] => (Array.isArray(answer) ? (answer as Item[]) : [])

/** Type names that the suite expects, by the type names of the server. */
const typeNames: Readonly<Record<string, string>> = {
  varchar: 'character varying',
  longtext: 'text',
  int: 'integer',
  decimal: 'numeric',
  tinyint: 'boolean',
  time: 'time without time zone',
  datetime: 'timestamp without time zone',
  timestamp: 'timestamp with time zone',
  longblob: 'bytea',
}

const numberOf = (value: unknown) => (value === null ? null : Number(value))

const describeColumn = ({ data_type: type, is_json: isDocument, ...row }: Item): Item => ({
  ...row,
  data_type: Number(isDocument) === 1 ? 'json' : (typeNames[String(type)] ?? type),
  character_maximum_length: numberOf(row['character_maximum_length']),
  numeric_precision: numberOf(row['numeric_precision']),
  numeric_scale: numberOf(row['numeric_scale']),
})

export const openMysql = (url: string): SuiteDatabase => ({
  fixture: 'mysql',
  sql: (text, values) =>
    inSession(url, async (connection) => {
      await connection.query(THEIRS)
      const [answer] = await connection.query(inOurWords(text), [...values])
      return text.includes('information_schema.columns') ? rowsOf(answer).map(describeColumn) : rowsOf(answer)
    }),
  script: (text) =>
    inSession(url, async (connection) => {
      await connection.query(`set foreign_key_checks = 0; ${text}`)
    }),
  foreignKeys: () =>
    inSession(url, async (connection) => {
      const [answer] = await connection.query(`select table_name as \`from\`, referenced_table_name as \`to\`
        from information_schema.referential_constraints where constraint_schema = database()`)
      return rowsOf(answer) as readonly { from: string; to: string }[]
    }),
  emptying: (tables) => tables.map((name) => `truncate table \`${name}\`;`).join(' '),
})
