import type { Field } from '../model/field.ts'
import { choicesOf, kindOf, type Kind } from '../model/kind.ts'
import { dayText, momentText, timeText } from './moment-text.ts'
import { numberText } from './number-text.ts'

/** How values of a kind read. */
export interface Display {
  readonly text: (value: unknown, field: Field, language: string) => string
  /** Drawn as more than words: a chip, a mark. The drawing is in `value.tsx`. */
  readonly node?: 'chip' | 'mark' | 'code' | 'secret'
}

/** A value as it is written: documents as JSON. */
export const rawText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const countText = (value: unknown): string => {
  const count = Array.isArray(value) ? value.length : null
  if (count === null) return rawText(value)
  return count === 1 ? '1 row' : `${count} rows`
}

/** The words of a choice, where its field gives it some. */
export const choiceText = (value: unknown, field: Field): string =>
  choicesOf(field)?.find((choice) => choice.value === String(value))?.text ?? rawText(value)

/** Size in bytes of base64 text. */
const bytesText = (value: unknown): string => {
  const text = String(value)
  const bytes = Math.floor((text.replaceAll('=', '').length * 3) / 4)
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}

export const displays: Readonly<Record<Kind, Display>> = {
  key: { text: String },
  text: { text: rawText },
  number: { text: (value, _, language) => numberText(value, language) },
  boolean: { text: (value) => (value === true ? 'Yes' : 'No'), node: 'mark' },
  date: { text: (value, _, language) => dayText(value, language) },
  moment: { text: (value, _, language) => momentText(value, language) },
  time: { text: timeText },
  choice: { text: choiceText, node: 'chip' },
  json: { text: rawText, node: 'code' },
  list: { text: (value) => (Array.isArray(value) ? value.map(rawText).join(', ') : rawText(value)) },
  secret: { text: () => '••••••', node: 'secret' },
  relation: { text: rawText },
  rows: { text: countText },
  binary: { text: bytesText },
  other: { text: rawText, node: 'code' },
}

/** A value in words, as the grid and pages show it. NULL and the empty text have marks of their own. */
export function displayText(value: unknown, field: Field, language: string): string {
  if (value === null || value === undefined) return 'NULL'
  if (value === '') return '""'
  return displays[kindOf(field)].text(value, field, language)
}
