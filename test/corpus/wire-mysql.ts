// Converts a value of MariaDB's protocol to the JSON value that the contract specifies.
import type { Cell, Column } from './model.ts'
import { wireDateTime, wireTime, wireTimestamp } from './wire-times.ts'

const types: Readonly<Record<string, string>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigInteger',
  bit: 'bigInteger',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
  char: 'string',
  varchar: 'string',
  enum: 'string',
  set: 'string',
  inet4: 'string',
  inet6: 'string',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  date: 'date',
  datetime: 'dateTime',
  timestamp: 'timestamp',
  time: 'time',
  json: 'json',
  uuid: 'uuid',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
  geometry: 'geometry',
  point: 'geometry.Point',
  linestring: 'geometry.LineString',
  polygon: 'geometry.Polygon',
}

const isFlag = ({ type }: Column) => type === 'tinyint(1)' || type === 'bit(1)'

export const fieldType = (column: Column): string => (isFlag(column) ? 'boolean' : (types[column.base] ?? 'unknown'))

export const isGeometry = (column: Column): boolean => fieldType(column).startsWith('geometry')

const isZeroDate = (text: string) => text.startsWith('0000-00-00')

const integer = (text: string): unknown => Number(text)
const moment = (form: (text: string) => string) => (text: string) => (isZeroDate(text) ? null : form(text))

const forms: Readonly<Record<string, (text: string) => unknown>> = {
  tinyint: integer,
  smallint: integer,
  mediumint: integer,
  int: integer,
  float: integer,
  double: integer,
  year: (text) => (Number(text) === 0 ? null : Number(text)),
  date: moment((text) => text),
  datetime: moment(wireDateTime),
  timestamp: moment(wireTimestamp),
  time: wireTime,
  json: (text) => JSON.parse(text) as unknown,
}

/** Cells are the bytes that the server sent; text is always utf8mb4, whatever the column's charset. */
export function wire(column: Column, cell: Cell): unknown {
  if (cell === null || !Buffer.isBuffer(cell)) return cell
  if (column.base === 'bit') {
    const bits = BigInt(`0x${cell.toString('hex') || '0'}`)
    return isFlag(column) ? bits !== 0n : String(bits)
  }
  if (types[column.base] === 'binary') return cell.toString('base64')
  const text = cell.toString('utf8')
  // Other numbers than 0 and 1 are served as they are.
  if (isFlag(column)) return text === '0' ? false : text === '1' ? true : integer(text)
  if (isGeometry(column)) return JSON.parse(text) as unknown
  return (forms[column.base] ?? ((same: string) => same))(text)
}
