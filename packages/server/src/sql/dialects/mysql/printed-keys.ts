import type { DatabaseForeignKey, ReferentialAction } from '../../database-schema.ts'
import { namesIn, type TableText } from './table-text.ts'

/** The catalogue truncates key names to this length. */
const LONGEST = 64

/** The server names keys after their table, so their truncated names may be the same in the catalogue. */
export const mayBeCut = (name: string | null | undefined): boolean => Array.from(name ?? '').length >= LONGEST

const NAMES = '\\((?:`(?:[^`]|``)+`(?:, ?)?)+\\)'
const ACTION = 'NO ACTION|RESTRICT|CASCADE|SET NULL|SET DEFAULT'
const printed = new RegExp(
  `^FOREIGN KEY (?<columns>${NAMES}) REFERENCES (?<table>.+?) (?<toColumns>${NAMES})(?: ON DELETE (?<onDelete>${ACTION}))?(?: ON UPDATE (?<onUpdate>${ACTION}))?$`,
  'su',
)

/** Foreign keys as SHOW CREATE TABLE prints them: with their full names, and without default actions. */
export function printedKeys({ constraints }: TableText, schema: string): readonly DatabaseForeignKey[] {
  return constraints.flatMap(({ name, kind, text }) => {
    const groups = kind === 'foreign-key' ? printed.exec(text)?.groups : undefined
    if (groups === undefined) return []
    const path = namesIn(groups['table'] ?? '')
    return [
      {
        name,
        columns: namesIn(groups['columns'] ?? ''),
        toSchema: path.length > 1 ? (path[0] ?? schema) : schema,
        toTable: path.at(-1) ?? '',
        toColumns: namesIn(groups['toColumns'] ?? ''),
        onUpdate: (groups['onUpdate'] ?? 'RESTRICT') as ReferentialAction,
        onDelete: (groups['onDelete'] ?? 'RESTRICT') as ReferentialAction,
      },
    ]
  })
}
