import { Type, type TSchema } from 'typebox'

/** The longest text of a payload. */
const MOST_CHARACTERS = 4096

/** Longer passwords take longer to hash and are no safer. */
export const MOST_PASSWORD_BYTES = 1024

/** The formats of texts. JSON Schema leaves them to the service; `lib/read-input.ts` checks them. */
export type TextFormat = 'text' | 'password' | 'email' | 'uuid'

const formatted = (format: TextFormat, options: Type.TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength: MOST_CHARACTERS, format, ...options })

/** A text that a database can store: no NUL byte, no unpaired surrogate. */
export const text = formatted('text')
export const password = formatted('password', { description: `At most ${MOST_PASSWORD_BYTES} bytes of UTF-8.` })
export const email = formatted('email')
export const uuid = formatted('uuid')

/** Clients may send null for a member that they leave out. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** An object without other members. `title` is its name in GraphQL. */
export const object = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const anything = Type.Unknown()
export const json = Type.Record(Type.String(), Type.Unknown())

/** A value that the procedure checks itself, because its faults depend on the caller or on the database. */
export const passedOn = (schema: TSchema) => Type.Unsafe<unknown>(schema)

/** The procedure returns nothing. */
export const nothing = Type.Void()

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
