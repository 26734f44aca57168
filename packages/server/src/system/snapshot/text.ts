import { invalidPayload } from '@tain/contract'
import { parseDocument, stringify } from 'yaml'
import { isExactNumber, parseExactJson } from '../../lib/exact-json.ts'

export const formats = ['json', 'yaml'] as const
export type Format = (typeof formats)[number]

/** Numbers that YAML's reader would round stay texts; where a number is wanted, a text of one does. */
const plain = (_: string, value: unknown): unknown => (isExactNumber(value) ? value.rawJSON : value)

const writers: Readonly<Record<Format, (value: unknown) => string>> = {
  json: (value) => `${JSON.stringify(value, null, 2)}\n`,
  // Long texts on one line and no references: equal parts stay next to what they belong to, and differences stay small.
  yaml: (value) => stringify(value, plain, { lineWidth: 0, aliasDuplicateObjects: false }),
}

export const writeText = (value: unknown, format: Format): string => writers[format](value)

/** JSON is YAML too, but keeps all digits. */
export function readText(text: string, format: Format | null): unknown {
  if (format !== 'yaml') {
    try {
      return parseExactJson(text)
    } catch {
      if (format === 'json') throw invalidPayload('The file is no valid JSON')
    }
  }
  const document = parseDocument(text, { uniqueKeys: true, schema: 'core' })
  const [error] = document.errors
  if (error !== undefined) throw invalidPayload(`The file is no valid YAML: ${error.message.split('\n', 1)[0] ?? ''}`)
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown
  } catch {
    throw invalidPayload('The file is YAML with references, which are not followed')
  }
}
