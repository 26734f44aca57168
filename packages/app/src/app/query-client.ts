import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { signals } from '../api/signals.ts'

/** Refusals do not change by asking again; a lost connection or a busy service may. */
const isWorthRepeating = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof ApiError && (error.isOffline || error.status === 503)

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRepeating, refetchOnWindowFocus: false, staleTime: 30_000 } },
})

/** Structure is read again when a response shows that it has changed, and everything when somebody is viewed as. */
export function followSignals(): () => void {
  let { schemaVersion, viewedAs } = signals.facts()
  return signals.subscribe(() => {
    const next = signals.facts()
    if (schemaVersion !== null && next.schemaVersion !== schemaVersion && next.viewedAs === viewedAs) {
      void queryClient.invalidateQueries({ queryKey: ['structure'] })
      void queryClient.invalidateQueries({ queryKey: ['start'] })
    }
    // Nothing that one user may read stays on the screen as if another did; the start is always that of oneself.
    if (next.viewedAs !== viewedAs)
      void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'start' })
    schemaVersion = next.schemaVersion
    viewedAs = next.viewedAs
  })
}
