import { useEffect, useState, type RefObject } from 'react'

const OVERSCAN = 8

/** Which rows of a scrolled list are in view. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
  height: number,
): { readonly first: number; readonly last: number } {
  const [range, setRange] = useState({ first: 0, last: 30 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - OVERSCAN)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + OVERSCAN
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroller, height, total])
  return range
}
