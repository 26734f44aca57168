import type { Row } from '../model/key.ts'

/** What is kept of a draft, so that a reload or a crash loses nothing. */
export interface KeptDraft {
  readonly etag: string | null
  readonly base: Row
  readonly patch: Row
  readonly at: number
}

export interface DraftPlace {
  readonly user: string
  readonly collection: string
  readonly key: string
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefixOf = ({ user, collection, key }: DraftPlace): string =>
  `tain.draft:${JSON.stringify([user, collection, key])}:`

/** Keeps a draft beside the version of the row that it was made to; one without changes is forgotten. */
export function keepDraft(store: Store, place: DraftPlace, kept: KeptDraft): void {
  const name = `${prefixOf(place)}${kept.etag ?? 'new'}`
  try {
    if (Object.keys(kept.patch).length === 0) store.removeItem(name)
    else store.setItem(name, JSON.stringify(kept))
  } catch {
    // The storage is full: the draft stays in memory only.
  }
}

/** The draft that was kept last, whichever version of the row it was made to. */
export function findDraft(store: Store, place: DraftPlace): KeptDraft | null {
  const found = namesOf(store, place).flatMap((name) => {
    const kept = parsed(store.getItem(name))
    return kept === null ? [] : [kept]
  })
  return found.toSorted((a, b) => b.at - a.at)[0] ?? null
}

export function forgetDrafts(store: Store, place: DraftPlace): void {
  for (const name of namesOf(store, place)) store.removeItem(name)
}

const namesOf = (store: Store, place: DraftPlace): readonly string[] =>
  Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((name) =>
    name.startsWith(prefixOf(place)),
  )

function parsed(text: string | null): KeptDraft | null {
  if (text === null) return null
  try {
    const kept = JSON.parse(text) as Partial<KeptDraft>
    return typeof kept.patch === 'object' && typeof kept.base === 'object' && typeof kept.at === 'number'
      ? (kept as KeptDraft)
      : null
  } catch {
    return null
  }
}
