import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 720px)')

const subscribe = (listen: () => void) => {
  query.addEventListener('change', listen)
  return () => query.removeEventListener('change', listen)
}

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
