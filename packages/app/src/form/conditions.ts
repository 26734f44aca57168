import type { Field, FieldMeta } from '../model/field.ts'
import type { Row } from '../model/key.ts'
import { matches, type Dynamic } from './rule-match.ts'

/** One of `meta.conditions`: what changes about a field while a rule holds. */
interface Condition {
  readonly rule?: unknown
  readonly hidden?: boolean
  readonly readonly?: boolean
  readonly required?: boolean
  readonly options?: Readonly<Record<string, unknown>> | null
  readonly clear_hidden_value_on_save?: boolean
}

const conditionsOf = (field: Field): readonly Condition[] =>
  (field.meta?.conditions ?? []).filter((each): each is Condition => typeof each === 'object' && each !== null)

/** The place of the condition that holds, -1 if none does. Of several, the last one counts. */
export const conditionThatHolds = (field: Field, values: Row, dynamic: Dynamic): number =>
  conditionsOf(field).findLastIndex(({ rule }) => matches(rule, values, dynamic) === true)

/** A field as the condition at this place makes it. */
export function underCondition(field: Field, place: number): Field {
  const condition = conditionsOf(field)[place]
  if (condition === undefined) return field
  const { hidden, readonly, required, options } = condition
  const meta: FieldMeta = {
    ...field.meta,
    ...(typeof hidden === 'boolean' ? { hidden } : {}),
    ...(typeof readonly === 'boolean' ? { readonly } : {}),
    ...(typeof required === 'boolean' ? { required } : {}),
    ...(typeof options === 'object' && options !== null ? { options: { ...field.meta?.options, ...options } } : {}),
  }
  return { ...field, meta }
}

/** Fields that are hidden now and are to be emptied when the row is saved. */
export const clearedBy = (fields: readonly Field[], values: Row, dynamic: Dynamic): readonly string[] =>
  fields
    .filter((field) => {
      const condition = conditionsOf(field)[conditionThatHolds(field, values, dynamic)]
      return condition?.hidden === true && condition.clear_hidden_value_on_save === true
    })
    .map(({ field }) => field)
