/** Tells listeners that there may be something new; they look for themselves. */
export interface News {
  readonly tell: () => void
  readonly listen: (listener: () => void) => () => void
  readonly hasListeners: () => boolean
}

export function createNews(): News {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener) => {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    hasListeners: () => listeners.size > 0,
  }
}
