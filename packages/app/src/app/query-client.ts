import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { signals } from '../api/signals.ts'

/** Refusals do not change by asking again; a busy service may. A lost connection is told at once. */
const isWorthRepeating = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof ApiError && error.isMomentary && !error.isOffline

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRepeating,
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      // The app tells a lost connection itself, instead of waiting without a word.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Structure is read again when a response shows that it has changed. */
export function followSignals(): () => void {
  let { schemaVersion } = signals.facts()
  return signals.subscribe(() => {
    const next = signals.facts()
    if (schemaVersion !== null && next.schemaVersion !== schemaVersion) {
      void queryClient.invalidateQueries({ queryKey: ['structure'] })
      void queryClient.invalidateQueries({ queryKey: ['start'] })
    }
    schemaVersion = next.schemaVersion
  })
}
