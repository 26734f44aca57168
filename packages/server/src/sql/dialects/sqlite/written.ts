/** Converts the text of a stored value to JSON, at the top level and inside statements alike. */

const quote = (text: string) => JSON.stringify(text)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu

/** Numbers stay numbers; a value that is not a JSON number is sent as text. */
export const writeNumber = (text: string): string => (jsonNumber.test(text) ? text : quote(text))

/** Whole numbers that JavaScript cannot hold with all their digits are sent as text. */
export const writeInteger = (text: string): string =>
  /^-?\d{16,}$/u.test(text) && !Number.isSafeInteger(Number(text)) ? quote(text) : writeNumber(text)

const words: ReadonlyMap<string, string> = new Map([
  ['0', 'false'],
  ['1', 'true'],
  ['f', 'false'],
  ['t', 'true'],
  ['false', 'false'],
  ['true', 'true'],
])

/** Reads words that other programs store for booleans; any other text is shown unchanged. */
export const writeBoolean = (text: string): string =>
  words.get(text) ?? (jsonNumber.test(text) ? String(Number(text) !== 0) : quote(text))

/** The same for columns that also hold other numbers than 0 and 1. */
export const writeFlag = (text: string): string => words.get(text) ?? writeInteger(text)
