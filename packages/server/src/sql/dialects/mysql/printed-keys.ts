import type { DatabaseForeignKey, ReferentialAction } from '../../database-schema.ts'
import { namesIn, type TableText } from './table-text.ts'

/** The catalogue cuts names of keys off here. */
const LONGEST = 64

/** The server names keys after their table, and may come to names that the catalogue does not tell from each other. */
export const mayBeCut = (name: string | null | undefined): boolean => Array.from(name ?? '').length >= LONGEST

const NAMES = '\\((?:`(?:[^`]|``)+`(?:, ?)?)+\\)'
const ACTION = 'NO ACTION|RESTRICT|CASCADE|SET NULL|SET DEFAULT'
const printed = new RegExp(
  `^FOREIGN KEY (?<columns>${NAMES}) REFERENCES (?<table>.+?) (?<toColumns>${NAMES})(?: ON DELETE (?<onDelete>${ACTION}))?(?: ON UPDATE (?<onUpdate>${ACTION}))?$`,
  'su',
)

/** Foreign keys as the server prints them with their table: under their whole names, and without what they do unless told. */
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
