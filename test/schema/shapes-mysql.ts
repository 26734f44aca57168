// Every form that a schema management statement may have in MariaDB, see shapes.ts.
import { MARK } from './mark.ts'

const name = '`(?:[^`]|``)+`'
const table = `${name}\\.${name}`
const literal = `'(?:[^'\\\\]|''|\\\\.)*'`
const kinds = [
  '(?:tiny|small|medium|big)?int(?:\\(\\d+\\))?(?: unsigned)?',
  'double',
  'float',
  'decimal\\(\\d+, ?\\d+\\)',
  '(?:var)?char\\(\\d+\\)',
  '(?:tiny|medium|long)?(?:text|blob)',
  'date',
  '(?:time|datetime|timestamp)(?:\\(6\\))?',
  'json',
  'uuid',
  'geometry',
  '(?:multi)?(?:point|linestring|polygon)',
]
const type = `(?:${kinds.join('|')})(?: CHARACTER SET \\w+)?(?: COLLATE \\w+)?`
const value = `(?:NULL|x?${literal}|-?[0-9.]+(?:e[+-]?\\d+)?|current_timestamp\\(6\\)|\\(?(?:curdate\\(\\)|curtime\\(6\\)|uuid\\(\\))\\)?)`
const check = `CHECK \\((?:json_valid\\(${name}\\)|${name} in \\(0, ?1\\))\\)`
const definition = `${type}(?: (?:NOT )?NULL| not null| null)?(?: DEFAULT ${value})?(?: AUTO_INCREMENT| invisible)?(?: COMMENT ${literal})?(?: ${check})?`
const names = `${name}(?:, ?${name})*`
const action = '(?:no action|restrict|cascade|set null)'
const reference = `\\(${names}\\) REFERENCES (?:${table}|${name}) \\(${names}\\)(?: on delete ${action})?(?: on update ${action})?`
const part = `\\(${name}(?:\\(255\\))?(?:, ?${name})*\\)`

const alterations = [
  `add column ${name} ${definition}`,
  `add column ${name} ${type} generated always as \\(${name}\\) stored invisible`,
  `drop column (?:if exists )?${name}`,
  `change column (?:if exists )?${name} ${name} ${definition}`,
  `modify column (?:if exists )?${name} ${definition}`,
  `add (?:unique )?key (?:if not exists )?${name} ${part}`,
  `drop index (?:if exists )?${name}`,
  `add constraint ${name} foreign key (?:if not exists ${name} )?${reference}`,
  `drop foreign key (?:if exists )?${name}`,
  `drop constraint ${name}`,
  `comment = ${literal}`,
]
const alteration = `(?:${alterations.join('|')})`

/** A lookup: all names and values in it are quoted. */
const question = `select 1 from (?:${name}|${literal}|(?!${MARK})[^\`'"])+?`
const conversion = `if\\((?:${name}|'[a-z0-9]*'|(?!${MARK})[^\`'"])+?\\)`

const simple = [
  `create table ${table} \\(${name} ${definition}(?:, ${name} ${definition})*(?:, primary key \\(${names}\\))?\\) engine = InnoDB`,
  `(?:set statement foreign_key_checks = 0 for )?drop table if exists ${table}`,
  `rename table (?:if exists )?${table} to ${table}`,
  `alter table (?:if exists )?${table} ${alteration}(?:, ${alteration})*`,
  `update ${table} set ${name} = (?:${name}|${conversion})(?:, ${name} = ${name})* where ${name} is not null`,
  `show create table ${table}`,
]
const statement = `(?:${simple.join('|')})`
const refusal = `signal sqlstate '45000' set mysql_errno = \\d+, message_text = '[a-z ]+'`

const definitions = [
  statement,
  `begin not atomic declare continue handler for [\\d, ]+ begin end; ${statement}; end`,
  `begin not atomic if exists \\(${question}\\) then\\s+(?:${refusal}|${statement}(?:;\\s*${statement})*);\\s*end if; end`,
].map((text) => new RegExp(`^${text}$`, 'siu'))

/** All other statements of the service, which bind their values as parameters. */
const others =
  /^\s*(?:select|insert|update|delete from|with|begin|start transaction|commit|rollback|savepoint|release|set session|do)\b(?! not atomic)/iu

export function isAllowedInMysql(text: string): boolean {
  if (definitions.some((shape) => shape.test(text))) return true
  return others.test(text) && !text.replaceAll(new RegExp(name, 'gu'), '').includes(MARK)
}
