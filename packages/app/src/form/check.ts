import { isRequired, type Field } from '../model/field.ts'
import { conditionThatHolds, underCondition } from './conditions.ts'
import { isEdited, valueAt, valuesOf, type Draft } from './draft.ts'
import type { FormField } from './form-fields.ts'
import { defaultOf, isExpression } from './locks.ts'
import { matches, type Dynamic } from './rule-match.ts'

/** What is wrong with a draft before it is sent, by field. The service checks again. */
export function checkDraft(
  fields: readonly FormField[],
  draft: Draft,
  isNew: boolean,
  dynamic: Dynamic,
): ReadonlyMap<string, string> {
  const values = valuesOf(draft)
  const found = new Map<string, string>()
  for (const { field: plain } of fields) {
    const field = underCondition(plain, conditionThatHolds(plain, values, dynamic))
    // What a condition asks for now may be missing in a field that nobody touched.
    if (!isNew && !isEdited(draft, field.field) && field === plain) continue
    const value = valueAt(draft, field.field)
    const problem = isMissing(field, value, isNew) ? 'A value is required.' : refusal(field, value, dynamic)
    if (problem !== null) found.set(field.field, problem)
  }
  return found
}

function isMissing(field: Field, value: unknown, isNew: boolean): boolean {
  if (field.meta?.hidden === true && isNew) return false
  if ((value ?? null) !== null && value !== '') return false
  if (value === '' && field.meta?.required !== true) return false
  if (value === undefined && isNew && fillsItself(field)) return false
  return isRequired(field) || (value === null && field.schema?.is_nullable === false)
}

const fillsItself = (field: Field): boolean =>
  field.type === 'alias' ||
  field.schema?.has_auto_increment === true ||
  field.schema?.is_generated === true ||
  (field.meta?.special ?? []).some((each) => /^(?:uuid|date-|user-|role-)/u.test(each)) ||
  defaultOf(field) !== undefined ||
  isExpression(field.schema?.default_value ?? null)

function refusal({ field, meta }: Field, value: unknown, dynamic: Dynamic): string | null {
  const rule = meta?.validation ?? null
  if (rule === null || (value ?? null) === null || matches(rule, { [field]: value }, dynamic) !== false) return null
  return meta?.validation_message ?? 'This value is not allowed here.'
}
