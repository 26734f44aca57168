import Database from 'better-sqlite3'
import type { Item, SuiteDatabase, Value } from './database.ts'

const series = (from: string, to: string) =>
  `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to}) select n from s) n`

/** Rewrites PostgreSQL syntax in the suite's own statements. */
const words: readonly (readonly [RegExp, string])[] = [
  [/select count\(\*\)::int as n from pg_class .*$/u, 'select count(*) as n from sqlite_schema where $1 is not null'],
  [/to_regclass\('public\.(\w+)'\)/gu, "(select name from sqlite_schema where name = '$1')"],
  [/to_regclass\(\$1\)/gu, '(select name from sqlite_schema where name = substr($1, 8))'],
  [
    /select \* from information_schema\.columns .*$/u,
    `select type, "notnull" as required, dflt_value as column_default from pragma_table_info($2) where name = $3 and $1 = 'public'`,
  ],
  [/generate_series\((\w+), ([\w$]+)(?:::int)?\) n/gu, series('$1', '$2')],
  [/generate_series\((\w+), ([$\w]+)(?:::int)?\)/gu, series('$1', '$2')],
  [/::int\b/gu, ''],
]

const inOurWords = (text: string) => words.reduce((said, [theirs, ours]) => said.replace(theirs, ours), text)

/** Type names that the suite expects, by the declared type names of SQLite. */
const typeNames: Readonly<Record<string, string>> = {
  varchar: 'character varying',
  decimal_text: 'numeric',
  time: 'time without time zone',
  datetime: 'timestamp without time zone',
  timestamp: 'timestamp with time zone',
  blob: 'bytea',
}

/** A column as information_schema would describe it: the declared type, and its size and scale from the parentheses. */
function describeColumn({ type, required, ...row }: Item): Item {
  const [, name, size, scale] = /^([^(]+?)\s*(?:\((\d+)(?:,\s*(\d+))?\))?$/u.exec(String(type)) ?? []
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))
  return {
    ...row,
    data_type: typeNames[name?.toLowerCase() ?? ''] ?? name?.toLowerCase(),
    is_nullable: required === 1 ? 'NO' : 'YES',
    character_maximum_length: numberOf(size),
    numeric_precision: numberOf(size),
    numeric_scale: numberOf(scale),
  }
}

export function openSqlite(file: string): SuiteDatabase {
  const database = new Database(file, { timeout: 10_000 })
  database.pragma('journal_mode = wal')
  database.pragma('foreign_keys = off')
  database.function('chr', { deterministic: true }, (code: unknown) => String.fromCodePoint(Number(code)))
  return {
    fixture: 'sqlite',
    async sql(text, values) {
      const isColumn = text.includes('information_schema.columns')
      const said = inOurWords(text)
      const statement = database.prepare<Record<string, Value>[], Item>(said.replaceAll(/\$(\d)/gu, '@p$1'))
      const binds = Object.fromEntries(
        values.map((value, index) => [`p${index + 1}`, Array.isArray(value) ? value.join() : value]),
      )
      const given = values.length === 0 ? [] : [binds]
      if (!statement.reader) {
        statement.run(...given)
        return []
      }
      const flags = statement
        .columns()
        .filter(({ name, type }) => type?.toLowerCase() === 'boolean' || name === 'found')
        .map(({ name }) => name)
      const rows = statement.all(...given)
      if (isColumn) return rows.map(describeColumn)
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(flags.map((name) => [name, row[name] === null ? null : Boolean(row[name])])),
      }))
    },
    async script(text) {
      database.exec(text)
    },
    foreignKeys: async () =>
      database
        .prepare<[], { from: string; to: string }>(
          'select t.name as "from", k."table" as "to" from pragma_table_list() t join pragma_foreign_key_list(t.name) k',
        )
        .all(),
    emptying: (tables) =>
      `begin; ${tables.map((name) => `delete from "${name}"; delete from sqlite_sequence where name = '${name}';`).join(' ')} commit;`,
  }
}
