import { keyOf, type Row } from '../model/key.ts'

/** Changes of a list of related rows, in the form in which they are sent. */
export interface ListPatch {
  readonly create: readonly Row[]
  /** Rows with their key: changed, or added to the list when they hold nothing else. */
  readonly update: readonly Row[]
  /** Keys of rows that leave the list; an object where a key has several parts. */
  readonly delete: readonly unknown[]
}

/** How rows of a list are named. */
export interface ListKey {
  readonly key: readonly string[]
}

export const noChanges: ListPatch = { create: [], update: [], delete: [] }

export function isListPatch(value: unknown): value is ListPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { create, update, delete: removed } = value as Partial<Record<keyof ListPatch, unknown>>
  return Array.isArray(create) && Array.isArray(update) && Array.isArray(removed)
}

/** The changes that a field of a draft holds. */
export const listPatchOf = (value: unknown): ListPatch => (isListPatch(value) ? value : noChanges)

export const listChanges = ({ create, update, delete: removed }: ListPatch): number =>
  create.length + update.length + removed.length

export const stageCreate = (patch: ListPatch, row: Row): ListPatch => ({ ...patch, create: [...patch.create, row] })

export const restageCreate = (patch: ListPatch, index: number, row: Row): ListPatch => ({
  ...patch,
  create: patch.create.with(index, row),
})

export const unstageCreate = (patch: ListPatch, index: number): ListPatch => ({
  ...patch,
  create: patch.create.toSpliced(index, 1),
})

/** Changes a row of the list. Without changes only a row that is to be added stays. */
export function stageUpdate(patch: ListPatch, names: ListKey, row: Row, changes: Row, isLinked: boolean): ListPatch {
  const others = withoutUpdate(patch, names, row)
  if (Object.keys(changes).length === 0 && !isLinked) return others
  return { ...others, update: [...others.update, { ...keyPartsOf(names, row), ...changes }] }
}

/** Adds an existing row to the list. */
export function stageLink(patch: ListPatch, names: ListKey, row: Row): ListPatch {
  const key = keyOf(withKey(names), row)
  if (key === null || updateOf(patch, names, key) !== null) return patch
  if (isRemoved(patch, names, key)) return unstageRemove(patch, names, key)
  return { ...patch, update: [...patch.update, keyPartsOf(names, row)] }
}

/** Takes a row out of the list; a change of it goes with it. */
export function stageRemove(patch: ListPatch, names: ListKey, row: Row): ListPatch {
  const key = keyOf(withKey(names), row)
  if (key === null || isRemoved(patch, names, key)) return patch
  const parts = keyPartsOf(names, row)
  const [only] = names.key
  const entry = names.key.length === 1 && only !== undefined ? parts[only] : parts
  return { ...withoutUpdate(patch, names, row), delete: [...patch.delete, entry] }
}

export const unstageRemove = (patch: ListPatch, names: ListKey, key: string): ListPatch => ({
  ...patch,
  delete: patch.delete.filter((entry) => removedKey(names, entry) !== key),
})

export const unstageUpdate = (patch: ListPatch, names: ListKey, key: string): ListPatch => ({
  ...patch,
  update: patch.update.filter((entry) => keyOf(withKey(names), entry) !== key),
})

export const isRemoved = (patch: ListPatch, names: ListKey, key: string): boolean =>
  patch.delete.some((entry) => removedKey(names, entry) === key)

/** What is changed about a row of the list, without its key; null: nothing is staged for it. */
export function updateOf(patch: ListPatch, names: ListKey, key: string): Row | null {
  const entry = patch.update.find((each) => keyOf(withKey(names), each) === key)
  if (entry === undefined) return null
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.key.includes(name)))
}

export type RowState = 'kept' | 'created' | 'edited' | 'linked' | 'removed'

/** What will happen to a row of the list when its parent is saved. */
export function stateOf(patch: ListPatch, names: ListKey, key: string): RowState {
  if (isRemoved(patch, names, key)) return 'removed'
  const update = updateOf(patch, names, key)
  if (update === null) return 'kept'
  return Object.keys(update).length === 0 ? 'linked' : 'edited'
}

const withoutUpdate = (patch: ListPatch, names: ListKey, row: Row): ListPatch => {
  const key = keyOf(withKey(names), row)
  return key === null ? patch : unstageUpdate(patch, names, key)
}

const keyPartsOf = ({ key }: ListKey, row: Row): Row =>
  Object.fromEntries(key.map((name) => [name, plainKey(row[name])]))

/** A part of a key is a reference at times, and was then read with the related row. */
const plainKey = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : value

function removedKey(names: ListKey, entry: unknown): string | null {
  if (typeof entry === 'object' && entry !== null) return keyOf(withKey(names), entry as Row)
  return encodeURIComponent(String(entry))
}

const withKey = ({ key }: ListKey): { readonly key: string[] } => ({ key: [...key] })
