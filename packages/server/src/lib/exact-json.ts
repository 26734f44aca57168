/** A number with more digits than JavaScript keeps; it is serialized exactly as it was read. */
export interface ExactNumber {
  readonly rawJSON: string
}

interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): boolean
}

const json = JSON as unknown as JsonWithSource

export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON(value)

/** Sixteen digits or more may be more than a double holds. */
const mayLose = /\d[\d.]{15,}/u

/** JSON.parse without loss of digits. Access to the source text is slow, so it is used only if digits could be lost. */
export function parseExactJson(text: string): unknown {
  return mayLose.test(text) ? json.parse(text, exactNumbers) : (JSON.parse(text) as unknown)
}

/** Keeps the digits of numbers, as the second argument of JSON.parse. */
export const exactNumbers = (_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined && digits(source) > 15 && isLossy(value, source)
    ? json.rawJSON(source)
    : value

/** Nobody can tell from a whole number beyond 2^53 whether it is the one that was written. */
const isLossy = (value: number, source: string): boolean =>
  source !== String(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))

const digits = (source: string) => source.replace(/e.*$/iu, '').replace(/\D/gu, '').length

/** Real documents are not nested deeper, and recursive functions would overflow the stack on deeper ones. */
export const DEEPEST_JSON = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Whether a JSON text is nested deeper than DEEPEST_JSON. Brackets inside strings do not count. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters.
  if (text.length <= DEEPEST_JSON * 2) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1)
        if (text.charCodeAt(at) === BACKSLASH) at += 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      if (depth > DEEPEST_JSON) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
  }
  return false
}
