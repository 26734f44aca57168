import { useSyncExternalStore } from 'react'
import { signals } from '../api/signals.ts'

/** Why nothing can be changed now; null: it can. */
export const useWhyNot = (): string | null => useSyncExternalStore(signals.subscribe, signals.whyNotWritten)
