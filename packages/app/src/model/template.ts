import type { Row } from './key.ts'
import { pathParts } from './path.ts'
import { plainText } from './plain-text.ts'

/** The paths in a display template: `{{customer.name}} · {{total}}` → customer.name, total. */
export const templatePaths = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/gu)].map(([, path = '']) => path)),
]

/** A row in the words of its display template. Missing values leave no trace. */
export function fillTemplate(template: string, row: Row): string {
  return template
    .replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/gu, (_, path: string) => textAt(row, pathParts(path)))
    .replaceAll(/\s{2,}/gu, ' ')
    .trim()
}

function textAt(value: unknown, path: readonly string[]): string {
  const [name, ...rest] = path
  if (name === undefined) return plainText(value)
  if (Array.isArray(value))
    return value
      .map((each) => textAt(each, path))
      .filter((text) => text !== '')
      .join(', ')
  if (typeof value !== 'object' || value === null) return ''
  return textAt((value as Row)[name], rest)
}
