// Converts PostgreSQL's text form of a value to the JSON value that the contract specifies.
import type { Cell, Column } from './model.ts'
import { wireDateTime, wireTime, wireTimestamp } from './wire-times.ts'

const types: Readonly<Record<string, string>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'bigInteger',
  float4: 'float',
  float8: 'float',
  numeric: 'decimal',
  bool: 'boolean',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  char: 'string',
  text: 'text',
  citext: 'text',
  date: 'date',
  timestamp: 'dateTime',
  timestamptz: 'timestamp',
  time: 'time',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'binary',
  interval: 'string',
  inet: 'string',
  cidr: 'string',
  macaddr: 'string',
  geometry: 'geometry',
}

export function fieldType({ base, element, isEnum }: Column): string {
  if (element !== null) return 'json'
  return isEnum ? 'string' : (types[base] ?? 'unknown')
}

const isNumber = (text: string) => /^-?\d/u.test(text)
const numeric = (text: string) => (isNumber(text) ? Number(text) : text)
/** Dates BC and infinities have no ISO form and stay as the database prints them. */
const isIso = (text: string) => isNumber(text) && !text.endsWith('BC')

const forms: Readonly<Record<string, (text: string) => unknown>> = {
  int2: Number,
  int4: Number,
  float4: numeric,
  float8: numeric,
  bool: (text) => text === 't',
  json: (text) => JSON.parse(text) as unknown,
  jsonb: (text) => JSON.parse(text) as unknown,
  geometry: (text) => JSON.parse(text) as unknown,
  bytea: (text) => Buffer.from(text.slice(2), 'hex').toString('base64'),
  timestamp: (text) => (isIso(text) ? wireDateTime(text) : text),
  timestamptz: (text) => (isIso(text) ? wireTimestamp(text) : text),
  time: wireTime,
}

const scalar = (base: string, text: string): unknown => (forms[base] ?? ((same: string) => same))(text)

export function wire({ base, element }: Column, cell: Cell): unknown {
  if (cell === null) return null
  const text = String(cell)
  if (element === null) return scalar(base, text)
  const form = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(form) : typeof value === 'string' ? scalar(element, value) : value
  return form(parseArray(text))
}

/** Parses `{1,NULL,"a,b"}`, also nested, with or without a `[0:1]=` prefix. */
export function parseArray(literal: string): unknown[] {
  const text = literal.slice(literal.indexOf('{'))
  let at = 0
  const list = (): unknown[] => {
    const values: unknown[] = []
    at += 1
    while (text[at] !== '}') {
      if (text[at] === ',') at += 1
      values.push(text[at] === '{' ? list() : text[at] === '"' ? quoted() : bare())
    }
    at += 1
    return values
  }
  const quoted = (): string => {
    let value = ''
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1
      value += text[at]
    }
    at += 1
    return value
  }
  const bare = (): string | null => {
    const start = at
    while (text[at] !== ',' && text[at] !== '}') at += 1
    const value = text.slice(start, at)
    return value === 'NULL' ? null : value
  }
  return list()
}
