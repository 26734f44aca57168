import type { Authorized } from '../../access/authorized.ts'
import type { Payload } from '../../query/mutation.ts'
import type { WriteContext } from '../../query/write-context.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { isOptional } from './complete.ts'
import type { Insert, InsertPlan } from './insert-plan.ts'
import { inRow } from './list-rows.ts'

const noParents: Insert['taken'] = new Map()

/**
 * Rows without nested data that all have the same fields need no tree. Returns null for other rows, and if a value has
 * to be filled in or refused; the tree handles these cases.
 */
export function planFlat(
  items: readonly Payload[],
  collection: Authorized<Collection>,
  context: WriteContext,
): InsertPlan | null {
  const { encode } = context
  const names = Object.keys(items[0] ?? {})
  const fields = names.flatMap((name) => collection.columns.get(name) ?? [])
  if (
    names.length === 0 ||
    fields.length !== names.length ||
    fields.some(needsCare) ||
    !isComplete(collection, names) ||
    pointsAtHidden(collection, fields, context)
  )
    return null
  const rows: string[] = []
  try {
    for (const item of items) {
      const keys = Object.keys(item)
      if (keys.length !== names.length) return null
      let row = ''
      for (let index = 0; index < fields.length; index += 1) {
        const field = fields[index]
        const value = item[names[index] ?? '']
        if (field === undefined || keys[index] !== names[index]) return null
        if (field.relation !== null && typeof value === 'object' && value !== null) return null
        if ((value === null || value === undefined) && !field.column.isNullable) return null
        row += `${index === 0 ? '' : ','}"f${index}":${encode(field, value, noPath)}`
      }
      rows.push(`{${row}}`)
    }
  } catch (error) {
    throw items.length > 1 ? inRow(error, rows.length) : error
  }
  return {
    inserts: [{ collection, fields, taken: noParents }],
    root: 0,
    sets: [`[${rows.join(',')}]`],
    shape: JSON.stringify([collection.name, names]),
  }
}

const noPath: readonly string[] = []

/** Whether a relation leads to a collection in which the caller cannot see every row. */
const pointsAtHidden = (
  { inferred, aliases }: Collection,
  fields: readonly ColumnField[],
  { schema, mustSee }: WriteContext,
): boolean =>
  [...fields, ...inferred.values(), ...aliases.values()].some(({ relation }) => {
    const targets = relation?.kind === 'one' ? [relation.to] : relation?.kind === 'any' ? relation.allowed : []
    return targets.some((name) => {
      const target = schema.collections.get(name)
      return target !== undefined && mustSee(target)
    })
  })

/** Whether the column has a counter to advance, or a value that the database computes. */
const needsCare = ({ column }: ColumnField) => column.hasAutoIncrement || column.generationExpression !== null

/** Whether all required fields are sent and no field needs a generated value or a validation. */
const isComplete = (collection: Collection, names: readonly string[]) =>
  [...collection.columns.values()].every(
    (field) =>
      field.specials.length === 0 &&
      !field.meta?.validation &&
      (names.includes(field.name) || isOptional(field, collection)),
  )
