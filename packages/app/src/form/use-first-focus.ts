import { useEffect, type RefObject } from 'react'

const CONTROLS =
  'input:not([readonly], :disabled), textarea:not([readonly]), select:not(:disabled), button:not(:disabled, [aria-haspopup=menu])'

/** Puts the focus into the first control of a box that has just opened. The overlay takes it first, for a moment. */
export function useFirstFocus(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const timer = setTimeout(() => box.current?.querySelector<HTMLElement>(CONTROLS)?.focus(), 30)
    return () => clearTimeout(timer)
  }, [box])
}
