import { createContext, useContext } from 'react'
import type { Collection } from '../model/collection.ts'
import type { DraftStore } from './draft-store.ts'
import type { FormRights } from './locks.ts'
import type { Dynamic } from './rule-match.ts'

/** What all fields of a form share. */
export interface FormContext {
  readonly collection: Collection
  /** Null: the row is new. */
  readonly itemKey: string | null
  readonly store: DraftStore
  readonly rights: FormRights
  readonly errors: ReadonlyMap<string, string>
  readonly dynamic: Dynamic
  readonly language: string
  readonly isAdministrator: boolean
  /** How many drawers the form is in. */
  readonly depth: number
}

export const FormPlace = createContext<FormContext | null>(null)

/** Drawers stack no deeper than this. */
export const DEEPEST = 3

export function useForm(): FormContext {
  const form = useContext(FormPlace)
  if (form === null) throw new Error('A field is shown outside a form.')
  return form
}
