import { useEffect, useRef, useState, type RefObject } from 'react'

/** Lists up to this length are drawn whole. */
const WHOLE = 200
const OVERSCAN = 12

interface Window {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly first: number
  readonly last: number
  /** Heights of what is left out above and below. */
  readonly before: number
  readonly after: number
}

/** Draws only the visible part of a long list whose rows are equally high. */
export function useWindow(count: number, rowHeight: number): Window {
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = ref.current
    if (element === null || count <= WHOLE) return
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [count])
  if (count <= WHOLE) return { ref, first: 0, last: count, before: 0, after: 0 }
  const first = Math.max(0, Math.floor(view.top / rowHeight) - OVERSCAN)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN)
  return { ref, first, last, before: first * rowHeight, after: (count - last) * rowHeight }
}
