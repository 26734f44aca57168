import { useSyncExternalStore } from 'react'
import { countChanges, isEdited, valueAt } from './draft.ts'
import type { DraftStore } from './draft-store.ts'

/** The value of one field; a change of another field does not draw the caller again. */
export const useValue = (store: DraftStore, field: string): unknown =>
  useSyncExternalStore(store.subscribe, () => valueAt(store.draft(), field))

export const useIsEdited = (store: DraftStore, field: string): boolean =>
  useSyncExternalStore(store.subscribe, () => isEdited(store.draft(), field))

export const useChangeCount = (store: DraftStore): number =>
  useSyncExternalStore(store.subscribe, () => countChanges(store.draft()))
