/** How text that stands for a stored value becomes JSON, at the top level and inside of statements alike. */

const quote = (text: string) => JSON.stringify(text)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu

/** Digits stay digits; what JSON has no number for travels as text. */
export const writeNumber = (text: string): string => (jsonNumber.test(text) ? text : quote(text))

const words: ReadonlyMap<string, string> = new Map([
  ['0', 'false'],
  ['1', 'true'],
  ['f', 'false'],
  ['t', 'true'],
  ['false', 'false'],
  ['true', 'true'],
])

/** Words that other programs store for truth are read; any other text is shown as it is. */
export const writeBoolean = (text: string): string =>
  words.get(text) ?? (jsonNumber.test(text) ? String(Number(text) !== 0) : quote(text))
