import { useSyncExternalStore } from 'react'
import { signals, type Facts } from './signals.ts'

/** A fact that concerns the whole app, kept up to date. */
export const useSignal = <N extends keyof Facts>(name: N): Facts[N] =>
  useSyncExternalStore(signals.subscribe, () => signals.facts()[name])
