import { invalidPayload } from '@tain/contract'
import { parseDocument, stringify } from 'yaml'
import { isExactNumber, parseExactJson } from '../../lib/exact-json.ts'

export const formats = ['json', 'yaml'] as const
export type Format = (typeof formats)[number]

/** Numbers that a YAML reader would round stay texts; readers accept a text where a number is expected. */
const plain = (_: string, value: unknown): unknown => (isExactNumber(value) ? value.rawJSON : value)

const writers: Readonly<Record<Format, (value: unknown) => string>> = {
  json: (value) => `${JSON.stringify(value, null, 2)}\n`,
  // Long texts stay on one line and references are avoided: equal parts stay in context, and diffs stay small.
  yaml: (value) => stringify(value, plain, { lineWidth: 0, aliasDuplicateObjects: false }),
}

export const writeText = (value: unknown, format: Format): string => writers[format](value)

/** JSON is valid YAML, but the JSON parser keeps all digits. */
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
