import { type Column, type ColumnType, VARCHAR } from './schema.ts'

export class Refused extends Error {
  /** 0 allows any rejection. */
  readonly status: number

  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

const wrongType = (column: Column, value: unknown) =>
  new Refused(400, `${JSON.stringify(value)} is no ${column.type} for ${column.name}`)

const patterns: Readonly<Partial<Record<ColumnType, RegExp>>> = {
  integer: /^-?\d{1,9}$/u,
  bigint: /^-?\d{1,18}$/u,
  numeric: /^-?\d{1,6}(\.\d{1,2})?$/u,
  date: /^\d{4}-\d{2}-\d{2}$/u,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
}

/** A payload value as the database prints it; throws if the column cannot store it. */
export function stored(column: Column, value: unknown): string | null {
  if (value === null) return null
  if (column.type === 'boolean') {
    if (typeof value === 'boolean') return String(value)
    throw wrongType(column, value)
  }
  if (typeof value !== 'string' && typeof value !== 'number') throw wrongType(column, value)
  const text = String(value)
  const pattern = patterns[column.type]
  if (pattern !== undefined && !pattern.test(text)) throw wrongType(column, value)
  if (column.type === 'varchar' && text.length > VARCHAR) throw new Refused(400, `${text} is too long`)
  return column.type === 'numeric' ? Number(text).toFixed(2) : text
}

/** A response value in the text form that is compared with the database. */
export const answered = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** A stored value in the form used in payloads and responses. */
export function toJson(column: Column, value: string | null): string | number | boolean | null {
  if (value === null) return null
  if (column.type === 'integer') return Number(value)
  return column.type === 'boolean' ? value === 'true' : value
}
