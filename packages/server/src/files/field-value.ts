import { invalidPayload } from '@tain/contract'

const words: Readonly<Record<string, unknown>> = { null: null, true: true, false: false }

/** Fields that hold JSON. */
const structured = new Set(['tags'])

/** The value of a field that arrives as text, in a form or in the metadata of an upload. */
export function fieldValue(name: string, text: string): unknown {
  if (Object.hasOwn(words, text)) return words[text]
  return structured.has(name) ? jsonIn(name, text) : text
}

function jsonIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidPayload(`The field "${name}" has to be JSON`)
  }
}
