import { useMemo } from 'react'
import { useStart } from '../../app/use-start.ts'
import type { AppStart } from '../../model/collection.ts'
import type { Viewer } from './saved-views.ts'

export function viewerOf(me: AppStart['me']): Viewer | null {
  const { id, role } = (me ?? {}) as { readonly id?: unknown; readonly role?: unknown }
  return typeof id === 'string' ? { id, role: typeof role === 'string' ? role : null } : null
}

/** Who looks at the list. */
export function useViewer(): Viewer | null {
  const { me } = useStart()
  return useMemo(() => viewerOf(me), [me])
}
