import { whyReadOnly, type Collection } from '../model/collection.ts'
import type { Field } from '../model/field.ts'

/** What the caller may do with a row, and where the row comes from. */
export interface FormRights {
  readonly collection: Collection
  readonly isNew: boolean
  /** Reading as somebody else: nothing can be changed meanwhile. */
  readonly isViewedAs: boolean
  readonly mayWrite: boolean
  /** The fields that may be written; `*`: all. */
  readonly fields: readonly string[]
}

const filledByTheService: Readonly<Record<string, string>> = {
  'date-created': 'The service sets it when the item is created.',
  'user-created': 'The service sets it when the item is created.',
  'role-created': 'The service sets it when the item is created.',
  'date-updated': 'The service sets it when the item changes.',
  'user-updated': 'The service sets it when the item changes.',
  'role-updated': 'The service sets it when the item changes.',
  uuid: 'The service sets it when the item is created.',
}

/** Why nothing of a row can be changed; null: something can. */
export function whyRowLocked({ collection, isNew, isViewedAs, mayWrite }: FormRights): string | null {
  if (isViewedAs) return 'You see this as somebody else. Nothing can be changed meanwhile.'
  const why = whyReadOnly(collection)
  if (why !== null) return why
  if (mayWrite) return null
  return isNew ? 'You may not create items here.' : 'You may not change this item.'
}

/** Why a field cannot be changed; null: it can. */
export function whyLocked(field: Field, rights: FormRights): string | null {
  const whyRow = whyRowLocked(rights)
  if (whyRow !== null) return whyRow
  const { schema, meta } = field
  if (schema?.is_generated === true) return 'The database computes this value.'
  const isKey = rights.collection.key.includes(field.field)
  if (isKey && !rights.isNew) return 'The key of an item stays as it is.'
  if (isKey && fillsItself(field)) return 'The database chooses the key.'
  if (meta?.readonly === true) return 'The data model marks this field as read-only.'
  const special = (meta?.special ?? []).find((each) => Object.hasOwn(filledByTheService, each))
  if (special !== undefined) return filledByTheService[special] ?? null
  if (!rights.fields.includes('*') && !rights.fields.includes(field.field)) return 'You may not change this field.'
  return null
}

const fillsItself = ({ schema }: Field): boolean =>
  schema?.has_auto_increment === true || isExpression(schema?.default_value ?? null)

/** Whether a default is computed by the database, such as `now()`, rather than a value. */
export const isExpression = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[a-z_.]+\(.*\)|current_\w+|nextval.*)/iu.test(value)

/** The value that a new row gets where none is sent; undefined: none is known before it is saved. */
export function defaultOf({ schema }: Field): unknown {
  const value = schema?.default_value ?? null
  return value === null || isExpression(value) ? undefined : value
}
