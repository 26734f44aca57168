import type { Collection, Field } from '../../schema/schema.ts'

const joined = (...parts: readonly (string | null | undefined)[]): string | null => {
  const given = parts.filter((part) => part !== null && part !== undefined && part !== '')
  return given.length === 0 ? null : given.join('\n\n')
}

/** The note or database comment, plus the original name if the GraphQL name differs. */
export const describeCollection = ({ name, meta, comment }: Collection, here: string): string | null =>
  joined(meta?.note ?? comment, name === here ? null : `\`${name}\` in the database and in REST.`)

export function describeField(field: Field, here: string): string | null {
  const note = field.kind === 'inferred' ? null : field.meta?.note
  const comment = field.kind === 'column' ? field.column.comment : null
  return joined(note ?? comment, field.name === here ? null : `\`${field.name}\` in the database and in REST.`)
}
