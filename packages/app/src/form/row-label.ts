import type { Collection } from '../model/collection.ts'
import type { Field } from '../model/field.ts'
import { keyOf, keyPaths, keyText, type Row } from '../model/key.ts'
import { kindOf } from '../model/kind.ts'
import { plainText } from '../model/plain-text.ts'
import { fillTemplate, templatePaths } from '../model/template.ts'
import { pathOf } from '../model/path.ts'

/** How a row is called where only its name is shown, and which fields that takes. */
export interface RowLabel {
  readonly paths: readonly string[]
  readonly title: (row: Row) => string
  /** A second line that tells rows of one name apart. */
  readonly hint: (row: Row) => string
}

const HINTS = 2

export function rowLabel(collection: Collection, fields: readonly Field[]): RowLabel {
  const template = collection.display_template ?? ''
  const named = templatePaths(template)
  const hints = fields
    .filter((field) => kindOf(field) === 'text' && field.type !== 'uuid' && field.schema?.data_type !== 'text')
    .map(({ field }) => field)
    .filter((field) => !named.includes(field) && !collection.key.includes(field))
    .slice(0, HINTS)
  return {
    paths: [...new Set([...keyPaths(collection), ...named, ...hints.map((name) => pathOf(name))])],
    title: (row) => {
      const text = template === '' ? '' : fillTemplate(template, row)
      if (text !== '') return text
      const key = keyOf(collection, row)
      return key === null ? 'New row' : keyText(key)
    },
    hint: (row) =>
      hints
        .map((field) => plainText(row[field]))
        .filter((text) => text !== '')
        .join(' '),
  }
}
