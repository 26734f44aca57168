import { invalidPayload } from '@tain/contract'
import { isEmailAddress } from '../lib/email-address.ts'
import { isUuid } from '../lib/uuid.ts'
import { MOST_PASSWORD_BYTES } from './password-policy.ts'

/** Reads one value of a payload; throws if it is invalid. `name` is for the error message. */
export type Reader<T> = (value: unknown, name: string) => T

export type PayloadReaders<T> = { readonly [K in keyof T]: Reader<T[K]> }

/** Validates a payload: checks every value, rejects unknown names and treats null as not sent. */
export type Check<T> = (payload: unknown) => T

const MOST_CHARACTERS = 4096

export function payloadOf<T>(shape: PayloadReaders<T>): Check<T> {
  const names = Object.keys(shape) as (keyof T & string)[]
  return (payload) => {
    const body = payload ?? {}
    if (typeof body !== 'object' || Array.isArray(body)) throw invalidPayload('The body has to be an object')
    const unknown = Object.keys(body).find((key) => !Object.hasOwn(shape, key))
    if (unknown !== undefined) throw invalidPayload(`"${unknown.slice(0, 64)}" is not allowed`)
    const given = body as Readonly<Record<string, unknown>>
    const read = (name: keyof T & string) => shape[name](Object.hasOwn(given, name) ? given[name] : undefined, name)
    return Object.fromEntries(names.map((name) => [name, read(name)])) as T
  }
}

const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

export const optional =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, name) =>
    isMissing(value) ? null : reader(value, name)

export const text: Reader<string> = (value, name) => {
  if (isMissing(value) || value === '') throw invalidPayload(`"${name}" is required`)
  if (typeof value !== 'string') throw invalidPayload(`"${name}" has to be a string`)
  // Database text cannot contain a NUL byte or an unpaired surrogate.
  if (value.length > MOST_CHARACTERS || value.includes('\0') || !value.isWellFormed())
    throw invalidPayload(`"${name}" is no text that can be used`)
  return value
}

export const password: Reader<string> = (value, name) => {
  const found = text(value, name)
  if (Buffer.byteLength(found) > MOST_PASSWORD_BYTES)
    throw invalidPayload(`"${name}" must not be longer than ${MOST_PASSWORD_BYTES} bytes`)
  return found
}

export const email: Reader<string> = (value, name) => {
  const found = text(value, name).trim()
  if (!isEmailAddress(found)) throw invalidPayload(`"${name}" has to be an e-mail address`)
  return found
}

export const uuid: Reader<string> = (value, name) => {
  const found = text(value, name)
  if (!isUuid(found)) throw invalidPayload(`"${name}" has to be a UUID`)
  return found
}

export const word =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (value, name) => {
    const found = words.find((entry) => entry === value)
    if (found === undefined) throw invalidPayload(`"${name}" has to be one of ${words.join(', ')}`)
    return found
  }

/** One value or a list of them. */
export const some =
  <T>(reader: Reader<T>, most: number): Reader<readonly T[]> =>
  (value, name) => {
    if (!Array.isArray(value)) return [reader(value, name)]
    if (value.length > most) throw invalidPayload(`"${name}" must not have more than ${most} entries`)
    return value.map((entry: unknown) => reader(entry, name))
  }

export const nested =
  <T>(check: Check<T>): Reader<T> =>
  (value, name) => {
    if (isMissing(value)) throw invalidPayload(`"${name}" is required`)
    return check(value)
  }

export const nothing: Check<null> = () => null
