import { databaseSchemes } from '../sql/dialects/index.ts'
import { serversIn, sessionAttributes } from '../sql/servers-url.ts'

export interface Setting<T> {
  readonly name: string
  readonly fallback?: T
  readonly read: (text: string) => T
  readonly what: string
}

/** One row per setting of a group. */
export type Rows<C> = { readonly [K in keyof C]: Setting<C[K]> }

/** An invalid value of a setting; the message does not repeat the value. */
export class Misread extends Error {}

export const fail = (message: string): never => {
  throw new Misread(message)
}

export const asText = (text: string) => text
export const asFlag = (text: string, choices = 'true or false') =>
  /^(true|1|yes|on)$/iu.test(text) ? true : /^(false|0|no|off)$/iu.test(text) ? false : fail(`has to be ${choices}`)
export const asNames = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
export const asNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string) => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < least || number > most) {
      return fail(`has to be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`)
    }
    return number
  }
export const asLimit = (text: string) => (/^(-1|infinity)$/iu.test(text) ? null : asNumber(1)(text))
export const asSize = (text: string) => {
  const found = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)?$/iu.exec(text)
  if (found === null) return fail('has to be a size such as 512kb or 1mb')
  const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }
  return Math.floor(Number(found[1]) * (units[(found[2] ?? 'b').toLowerCase()] ?? 1))
}
export const asSizeUpTo = (most: number) => (text: string) => {
  const size = asSize(text)
  return size <= most ? size : fail(`has to be at most ${most} bytes`)
}
export const asDatabaseUrl = (text: string) => {
  const scheme = /^([a-z]+):/u.exec(text)?.[1] ?? ''
  if (!databaseSchemes.includes(scheme))
    return fail(`has to begin with ${databaseSchemes.map((known) => `${known}:`).join(' or ')}`)
  const attribute = new URLSearchParams(text.slice(text.indexOf('?') + 1)).get('target_session_attrs')
  if (attribute !== null && !sessionAttributes.some((known) => known === attribute))
    return fail(`may have target_session_attrs=${sessionAttributes.join(' or ')}; the service works on the primary`)
  return serversIn(text) === null
    ? fail('is no valid address; special characters in the password have to be percent-encoded')
    : text
}
export const asSecret = (text: string) => (text.length >= 32 ? text : fail('has to have at least 32 characters'))
export const oneOf =
  <const Value extends string>(...values: readonly Value[]) =>
  (text: string): Value =>
    values.find((value) => value === text) ?? fail(`has to be one of ${values.join(', ')}`)

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
export const asDuration = (text: string) => {
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/iu.exec(text)
  if (found === null) return fail('has to be a time such as 10s, 15m or 7d')
  return Math.floor(Number(found[1]) * (MILLISECONDS[(found[2] ?? 'ms').toLowerCase()] ?? 1))
}
export const asPublicUrl = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/u.test(url.protocol))
    return fail('has to be an address such as https://api.example.com')
  return url.href.replace(/\/+$/u, '')
}
export const asProxies = (text: string): boolean | number | readonly string[] => {
  if (/^(true|false|yes|no|on|off)$/iu.test(text)) return asFlag(text)
  return /^\d+$/u.test(text) ? Number(text) : asNames(text)
}
