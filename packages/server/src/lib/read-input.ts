import {
  invalidPayload,
  invalidQuery,
  procedures,
  type ProcedureName,
  type ProcedureRow,
  type Source,
} from '@tain/contract'
import { MOST_PASSWORD_BYTES, procedureSchemas, type TextFormat } from '@tain/contract/schemas'
import { isEmailAddress } from './email-address.ts'
import { isUuid } from './uuid.ts'

/** The keywords that inputs use. */
export interface InputSchema {
  readonly type?: string
  readonly format?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: InputSchema
  readonly anyOf?: readonly InputSchema[]
  readonly properties?: Readonly<Record<string, InputSchema>>
}

/** The input of a procedure, or the error that describes its first fault. */
export function inputOf(name: ProcedureName, payload: unknown): Readonly<Record<string, unknown>> {
  const { input }: ProcedureRow = procedures[name]
  return readInput(procedureSchemas[name].input, payload, (member) => input[member])
}

/**
 * Reads an input by its schema, member by member in the schema's order; null counts as not sent. Unknown members are
 * refused or ignored, as the schema says. A validator would report the same faults, but with other texts.
 */
function readInput(
  schema: InputSchema,
  payload: unknown,
  sourceOf: (member: string) => Source | undefined = () => undefined,
): Readonly<Record<string, unknown>> {
  const { properties = {}, required: needed = [] } = schema
  const given = schema.additionalProperties === false ? closedBody(payload, properties) : openBody(payload)
  const valueOf = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const value = valueOf(name)
      if (sourceOf(name) === 'whole body') return [name, value]
      const refuse = sourceOf(name) === 'query' ? invalidQuery : invalidPayload
      return [name, isMissing(value) && !needed.includes(name) ? null : readMember(member, value, name, refuse)]
    }),
  )
}

/** The error for a value, by where it was sent. */
type Refuse = typeof invalidPayload

type Body = Readonly<Record<string, unknown>>

function closedBody(payload: unknown, known: object): Body {
  const body = payload ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidPayload('The body has to be an object')
  const unknown = Object.keys(body).find((key) => !Object.hasOwn(known, key))
  if (unknown !== undefined) throw invalidPayload(`"${unknown.slice(0, 64)}" is not allowed`)
  return body as Body
}

/** Anything but an object counts as an empty one. */
const openBody = (payload: unknown): Body =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as Body) : {}

const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

const required = (name: string) => invalidPayload(`"${name}" is required`)

function readMember(schema: InputSchema, value: unknown, name: string, refuse: Refuse = invalidPayload): unknown {
  if (schema.anyOf !== undefined) return readAlternative(schema.anyOf, value, name, refuse)
  if (schema.enum !== undefined) return readWord(schema.enum, value, name, refuse)
  switch (schema.type) {
    case 'string':
      return readText(schema, value, name)
    case 'integer':
      return readInteger(schema, value, name)
    case 'boolean':
      return readFlag(value, name)
    case 'array':
      return readList(schema, value, name)
    case 'object':
      if (isMissing(value)) throw required(name)
      return readInput(schema, value)
    case undefined:
      // Anything, also nothing: the procedure checks it.
      return value
    default:
      throw new TypeError(`"${name}" has a schema that cannot be read`)
  }
}

/** null, or one value or a list of them. */
function readAlternative(schemas: readonly InputSchema[], value: unknown, name: string, refuse: Refuse): unknown {
  if (value === null && schemas.some(({ type }) => type === 'null')) return null
  const others = schemas.filter(({ type }) => type !== 'null')
  const found = others.find(({ type }) => (type === 'array') === Array.isArray(value)) ?? others[0]
  return readMember(found ?? {}, value, name, refuse)
}

function readWord(words: readonly unknown[], value: unknown, name: string, refuse: Refuse): unknown {
  if (!words.includes(value)) throw refuse(`"${name}" has to be one of ${words.join(', ')}`)
  return value
}

function readList({ items = {}, maxItems = Infinity }: InputSchema, value: unknown, name: string): unknown {
  const isList = Array.isArray(value)
  if (!isList || (items.format === undefined && !value.every((entry) => typeof entry === 'string')))
    throw invalidPayload(`"${name}" has to be a list of names`)
  if (value.length > maxItems) throw invalidPayload(`"${name}" must not have more than ${maxItems} entries`)
  return value.map((entry: unknown) => readMember(items, entry, name))
}

/** Flags are parameters of a query string. */
function readFlag(value: unknown, name: string): boolean {
  if (value === 'false') return false
  if (value !== 'true' && value !== '') throw invalidQuery(`"${name}" has to be true or false`)
  return true
}

/** Numbers are parameters of a query string, so they may be texts. */
function readInteger({ minimum = 0, maximum = Infinity }: InputSchema, value: unknown, name: string): number {
  const isWritten = typeof value === 'string' && /^\d+$/u.test(value) && value.length <= String(maximum).length
  const number = typeof value === 'number' || isWritten ? Number(value) : NaN
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
  throw invalidQuery(`"${name}" has to be a whole number from ${minimum} to ${maximum}`)
}

function readText(schema: InputSchema, value: unknown, name: string): string {
  const { format, maxLength = Infinity } = schema
  if (format === undefined) return readPlainText(schema, value, name)
  if (isMissing(value) || value === '') throw required(name)
  if (typeof value !== 'string') throw invalidPayload(`"${name}" has to be a string`)
  // Database text cannot contain a NUL byte or an unpaired surrogate.
  if (value.length > maxLength || value.includes('\0') || !value.isWellFormed())
    throw invalidPayload(`"${name}" is no text that can be used`)
  return formats[format as TextFormat](value, name)
}

/** Any text, also an empty one; its use decides whether it fits. */
function readPlainText({ maxLength }: InputSchema, value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= (maxLength ?? Infinity)) return value
  const limit = maxLength === undefined ? 'a string' : `a text of at most ${maxLength} characters`
  throw invalidPayload(`"${name}" has to be ${limit}`)
}

const formats: Readonly<Record<TextFormat, (text: string, name: string) => string>> = {
  text: (text) => text,
  password: (text, name) => {
    if (Buffer.byteLength(text) > MOST_PASSWORD_BYTES)
      throw invalidPayload(`"${name}" must not be longer than ${MOST_PASSWORD_BYTES} bytes`)
    return text
  },
  email: (text, name) => {
    const address = text.trim()
    if (!isEmailAddress(address)) throw invalidPayload(`"${name}" has to be an e-mail address`)
    return address
  },
  uuid: (text, name) => {
    if (!isUuid(text)) throw invalidPayload(`"${name}" has to be a UUID`)
    return text
  },
}
