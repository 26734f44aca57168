import { useEffect } from 'react'
import type { DraftStore } from './draft-store.ts'
import { keepDraft, type DraftPlace } from './recovery.ts'

const EVERY = 2_000

/** Keeps a draft in the storage of the tab: every two seconds while it changes, and when the page is left. */
export function useAutosave(store: DraftStore, { user, collection, key }: DraftPlace, etag: string | null): void {
  useEffect(() => {
    let kept = store.draft()
    let timer: ReturnType<typeof setTimeout> | null = null
    const keep = () => {
      timer = null
      const draft = store.draft()
      if (draft === kept) return
      kept = draft
      keepDraft(sessionStorage, { user, collection, key }, { ...draft, etag, at: Date.now() })
    }
    const stop = store.subscribe(() => {
      timer ??= setTimeout(keep, EVERY)
    })
    addEventListener('pagehide', keep)
    return () => {
      stop()
      if (timer !== null) clearTimeout(timer)
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [store, user, collection, key, etag])
}
