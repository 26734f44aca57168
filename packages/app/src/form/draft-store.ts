import type { Row } from '../model/key.ts'
import { change, discard, discardAll, emptyDraft, type Draft } from './draft.ts'

/** A draft that components read from: each field follows its own value, so that a keystroke draws one field. */
export interface DraftStore {
  readonly draft: () => Draft
  readonly subscribe: (listen: () => void) => () => void
  readonly change: (field: string, value: unknown) => void
  readonly discard: (field: string) => void
  readonly discardAll: () => void
  readonly replace: (draft: Draft) => void
  /** Fields whose text is no value yet, such as half a JSON document: they keep the row from being saved. */
  readonly problems: () => ReadonlyMap<string, string>
  readonly setProblem: (field: string, problem: string | null) => void
}

export function createDraftStore(base: Row, patch: Row = {}): DraftStore {
  let draft: Draft = Object.entries(patch).reduce((sum, [field, value]) => change(sum, field, value), emptyDraft(base))
  const listeners = new Set<() => void>()
  const problems = new Map<string, string>()
  const set = (next: Draft): void => {
    if (next === draft) return
    draft = next
    for (const listen of listeners) listen()
  }
  return {
    draft: () => draft,
    subscribe: (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    change: (field, value) => set(change(draft, field, value)),
    discard: (field) => {
      problems.delete(field)
      set(discard(draft, field))
    },
    discardAll: () => {
      problems.clear()
      set(discardAll(draft))
    },
    replace: set,
    problems: () => problems,
    setProblem: (field, problem) => {
      if (problem === null) problems.delete(field)
      else problems.set(field, problem)
    },
  }
}
