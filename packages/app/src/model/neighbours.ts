/** The keys before and after one, in the list that it was opened from; null: at the end, or the list is not known. */
export interface Neighbours {
  readonly previous: string | null
  readonly next: string | null
}

/** Browsing leaves the keys of its rows here, in their order. */
export const listPlace = (collection: string): string => `tain.list:${collection}`

export function neighboursOf(text: string | null, key: string): Neighbours {
  const keys = parsed(text)
  const at = keys.indexOf(key)
  if (at === -1) return { previous: null, next: null }
  return { previous: keys[at - 1] ?? null, next: keys[at + 1] ?? null }
}

function parsed(text: string | null): readonly string[] {
  if (text === null) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : []
  } catch {
    return []
  }
}
