// Generates rows with values of matching types for empty tables. Foreign keys are not checked meanwhile, but the same
// small numbers are used everywhere, so that most references match a row.
import { Client } from 'pg'
import { readTables } from './catalogue-postgres.ts'
import { quote } from './catalogue-postgres.ts'
import type { Column, Table } from './model.ts'

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A literal for the n-th row (from 1 to 9). */
const makers: Readonly<Record<string, (n: number, column: Column) => string>> = {
  int2: String,
  int4: String,
  int8: (n, { name }) => (n === 2 && !name.endsWith('id') ? '9007199254740993' : String(n)),
  numeric: (n) => `${n}.5`,
  float4: (n) => `${n}.25`,
  float8: (n) => `${n}.25`,
  money: (n) => `'${n}234.56'`,
  bool: (n) => (n % 2 === 0 ? 'false' : 'true'),
  uuid: (n) => `'00000000-0000-4000-8000-00000000000${n}'`,
  date: (n) => `'2024-0${n}-1${n}'`,
  timestamp: (n) => `'2024-0${n}-1${n} 0${n}:02:03.12345${n}'`,
  timestamptz: (n) => `'2024-0${n}-1${n} 0${n}:02:03.12345${n}+00'`,
  time: (n) => `'0${n}:02:03.5'`,
  timetz: (n) => `'0${n}:02:03+02'`,
  interval: (n) => `'${n} days 02:03:04.5'`,
  json: (n) => `'{"a":${n},"b":[1,"x",null],"c":{"d":1.50}}'`,
  jsonb: (n) => `'{"a":${n},"b":[1,"x",null],"c":{"d":1.50}}'`,
  bytea: (n) => `'\\x0001ff0${n}'`,
  inet: (n) => `'10.0.0.${n}'`,
  cidr: (n) => `'10.0.0.${n}/32'`,
  macaddr: (n) => `'08:00:2b:01:02:0${n}'`,
  tsvector: (n) => `to_tsvector('english', 'the quick fox ${n}')`,
  xml: (n) => `'<a x="${n}">t</a>'`,
  int4range: (n) => `'[${n},${n + 5})'`,
  int8range: (n) => `'[${n},${n + 5})'`,
  numrange: (n) => `'[${n}.5,${n + 5})'`,
  tsrange: (n) => `'[2024-01-0${n},2024-02-01)'`,
  tstzrange: (n) => `'[2024-01-0${n} 00:00+00,2024-02-01 00:00+00)'`,
  daterange: (n) => `'[2024-01-0${n},2024-02-01)'`,
  point: (n) => `'(${n}.5,2)'`,
  bit: () => `B'1'`,
  varbit: () => `B'1'`,
}

const texts = new Set(['varchar', 'bpchar', 'text', 'citext', 'name'])

function textOf(n: number, { type, name }: Column): string {
  const limit = Number(/\((\d+)\)/u.exec(type)?.[1] ?? 40)
  return literal(limit < 3 ? String.fromCodePoint(64 + n) : `v${n} ünï "q" ${name}`.slice(0, limit).trim())
}

function arrayOf(n: number, element: string): string {
  if (element.startsWith('int')) return `'{${n},${n + 1},NULL}'`
  return texts.has(element) ? `'{"a ${n}","b,\\"q\\"",NULL}'` : `'{}'`
}

function valueOf(n: number, column: Column, labels: readonly string[]): string | null {
  if (column.isEnum) return literal(labels[n % labels.length] ?? '')
  if (column.element !== null) return arrayOf(n, column.element)
  if (texts.has(column.base)) return textOf(n, column)
  return makers[column.base]?.(n, column) ?? null
}

const labelsQuery = `select t.typname, e.enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid order by e.enumsortorder`

/**
 * Fills every empty table with up to `rows` rows. If a check constraint rejects a row, tries only the required columns.
 */
export async function fillPostgres(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    const { rows: found } = await client.query<{ typname: string; enumlabel: string }>(labelsQuery)
    const labels = Map.groupBy(found, ({ typname }) => typname)
    const tables = (await readTables(client)).filter(({ kind, isHidden }) => kind === 'table' && !isHidden)
    for (const table of tables) {
      const { rows: existing } = await client.query(`select 1 from ${table.sql} limit 1`)
      if (existing.length > 0) continue
      const labelsOf = ({ base }: Column) => (labels.get(base) ?? []).map(({ enumlabel }) => enumlabel)
      for (let n = 1; n <= rows; n += 1)
        await insertOne(client, table, (column) => valueOf(n, column, labelsOf(column)))
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function insertOne(client: Client, table: Table, make: (column: Column) => string | null): Promise<void> {
  const writable = table.columns.filter(({ isGenerated, identity }) => !isGenerated && identity !== 'always')
  const needed = writable.filter(({ name, isNullable }) => !isNullable || table.uniques.flat().includes(name))
  for (const columns of [writable, needed]) {
    const pairs = columns.flatMap((column) => {
      const value = make(column)
      return value === null ? [] : [[quote(column.name), value]]
    })
    const names = pairs.map(([name]) => name).join(', ')
    const values = pairs.map(([, value]) => value).join(', ')
    const statement =
      pairs.length === 0
        ? `insert into ${table.sql} default values`
        : `insert into ${table.sql} (${names}) values (${values})`
    const isDone = await client.query(statement).then(
      () => true,
      () => false,
    )
    if (isDone) return
  }
}
