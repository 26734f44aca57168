/** A number with more digits than JavaScript keeps; printed again it is what it was. */
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

/** JSON.parse that loses no digit. Looking at sources is slow, so it is done only when there is something to lose. */
export function parseExactJson(text: string): unknown {
  if (!mayLose.test(text)) return JSON.parse(text) as unknown
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) && digits(source) > 15
      ? json.rawJSON(source)
      : value,
  )
}

const digits = (source: string) => source.replace(/e.*$/iu, '').replace(/\D/gu, '').length
