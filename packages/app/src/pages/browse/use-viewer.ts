import { useMemo } from 'react'
import { useStart } from '../../app/use-start.ts'
import type { Viewer } from './saved-views.ts'

/** Who looks at the list. */
export function useViewer(): Viewer | null {
  const me = useStart().me as { readonly id?: unknown; readonly role?: unknown } | null
  return useMemo(
    () => (typeof me?.id === 'string' ? { id: me.id, role: typeof me.role === 'string' ? me.role : null } : null),
    [me],
  )
}
