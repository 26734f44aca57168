import type { Row } from '../model/key.ts'
import { isListPatch, listChanges } from './list-patch.ts'

/**
 * A row being edited: what was read, and what is changed about it. The patch is what is sent: a value by field, an
 * object for a related row to create, and `{create, update, delete}` for a list of rows.
 */
export interface Draft {
  readonly base: Row
  readonly patch: Row
}

export const emptyDraft = (base: Row): Draft => ({ base, patch: {} })

/** The value of a field as the form shows it. */
export const valueAt = ({ base, patch }: Draft, field: string): unknown =>
  Object.hasOwn(patch, field) ? patch[field] : base[field]

/** All values as the form shows them. Lists hold their changes. */
export const valuesOf = ({ base, patch }: Draft): Row => ({ ...base, ...patch })

export const isEdited = ({ patch }: Draft, field: string): boolean => Object.hasOwn(patch, field)

export const editedFields = ({ patch }: Draft): readonly string[] => Object.keys(patch)

/** How many changes would be saved: one for each field, and one for each row of a list. */
export const countChanges = ({ patch }: Draft): number =>
  Object.values(patch).reduce<number>((sum, value) => sum + (isListPatch(value) ? listChanges(value) : 1), 0)

/** Sets a field. A value that equals what was read is no change. */
export function change(draft: Draft, field: string, value: unknown): Draft {
  const isBack = isListPatch(value) ? listChanges(value) === 0 : isSame(value, draft.base[field])
  if (isBack) return discard(draft, field)
  return { ...draft, patch: { ...draft.patch, [field]: value } }
}

export function discard(draft: Draft, field: string): Draft {
  if (!Object.hasOwn(draft.patch, field)) return draft
  const { [field]: _, ...patch } = draft.patch
  return { ...draft, patch }
}

export const discardAll = ({ base }: Draft): Draft => emptyDraft(base)

/** The draft after `sent` was saved as `saved`. What was typed while it was on its way stays a change. */
export function afterSaving({ base, patch }: Draft, sent: Row, saved: Row): Draft {
  return Object.entries(patch).reduce<Draft>(
    (draft, [field, value]) =>
      Object.hasOwn(sent, field) && isSame(sent[field], value) ? draft : change(draft, field, value),
    emptyDraft({ ...base, ...saved }),
  )
}

/** A field that two people changed to different values. */
export interface Conflict {
  readonly field: string
  readonly was: unknown
  readonly theirs: unknown
  readonly mine: unknown
}

export interface Merge {
  /** Changed elsewhere and not here: they are taken over without a question. */
  readonly taken: readonly string[]
  readonly conflicts: readonly Conflict[]
}

/** Compares the changes of a draft with the row as it is now. */
export function compareWith({ base, patch }: Draft, theirs: Row): Merge {
  const changed = Object.keys(theirs).filter((field) => !isSame(base[field], theirs[field]))
  return {
    taken: changed.filter((field) => !Object.hasOwn(patch, field)),
    conflicts: changed
      .filter((field) => Object.hasOwn(patch, field) && !isSame(patch[field], theirs[field]))
      .map((field) => ({ field, was: base[field], theirs: theirs[field], mine: patch[field] })),
  }
}

/** The draft over the row as it is now, without the fields in which their value was chosen. */
export function mergeInto({ base, patch }: Draft, theirs: Row, chosenTheirs: ReadonlySet<string>): Draft {
  const merged = emptyDraft({ ...base, ...theirs })
  return Object.entries(patch).reduce<Draft>(
    (draft, [field, value]) => (chosenTheirs.has(field) ? draft : change(draft, field, value)),
    merged,
  )
}

/** Whether two values of a field are the same in content. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (a === undefined || b === undefined) return (a ?? null) === (b ?? null)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]))
    )
  const [left, right] = [a as Row, b as Row]
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  )
}
