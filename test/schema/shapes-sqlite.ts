// Every form that a schema management statement may have in SQLite, see shapes.ts.
import { MARK } from './mark.ts'

const name = `"(?:[^"]|"")+"`
const table = `${name}\\.${name}`
const literal = `'(?:[^']|'')*'`
const type = `(?:integer|bigint|real|boolean|text|date|time|datetime|timestamp|json|uuid|blob|varchar(?:\\(\\d+\\))?|decimal_text(?:\\(\\d+, \\d+\\))?)`
const uuid = `\\(lower\\(hex\\(randomblob\\(4\\)\\) \\|\\| [a-z0-9()|', -]+\\)\\)`
const now = `\\((?:date\\('now'\\)|time\\('now'\\)|strftime\\('%Y-%m-%d %H:%M:%f', 'now'\\))\\)`
const number = `-?[0-9.]+(?:e[+-]?[0-9]+)?`
const value = `(?:true|false|${number}|x?${literal}|${uuid}|${now})`
/** Flags hold no other numbers. */
const check = `(?: check \\(${name} in \\(0, 1\\)\\))?`
const definition = `(?:integer primary key autoincrement|${type}(?: not null)?(?: default ${value})?${check})`
const names = `${name}(?:, ${name})*`
const action = '(?:no action|restrict|cascade|set null|set default)'
const reference = `constraint ${name} foreign key \\(${names}\\) references ${name} \\(${names}\\) on delete ${action} on update ${action}`
/** An expression that converts a value: functions and constants of the service. */
const conversion = `(?:${name}|'[a-z0-9_%-]*'|(?!${MARK})[^"'])+?`

const edits = [
  `add ${name} ${definition}`,
  `drop ${name}`,
  `${name} becomes ${type} using ${conversion}`,
  `${name} default (?:null|${value})`,
  `${name} (?:not )?null`,
  `add ${reference}`,
  `drop constraint ${name}`,
]
const edit = `(?:${edits.join('|')})`

const definitions = [
  `create table ${table} \\(${name} ${definition}(?:, ${name} ${definition})*(?:, primary key \\(${names}\\))?\\)`,
  `drop table ${table}`,
  `alter table ${table} add column ${name} ${definition}`,
  `create (?:unique )?index ${table} on ${name} \\(${name}\\)`,
  `drop index ${table}`,
  `rebuild table ${name}: ${edit}(?:, ${edit})*`,
].map((text) => new RegExp(`^${text}$`, 'su'))

/** All other statements of the service, which bind their values as parameters. Some are messages to its own threads. */
const others =
  /^\s*(?:select|insert into|update|delete from|with|begin|commit|rollback|savepoint|release|pragma|take the lock on the structure|count the rows of tables)\b/iu

export function isAllowedInSqlite(statement: string): boolean {
  if (definitions.some((shape) => shape.test(statement))) return true
  return others.test(statement) && !statement.replaceAll(new RegExp(name, 'gu'), '').includes(MARK)
}
