import { useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import { useLanguage } from '../app/use-start.ts'
import type { Drawing } from './cell.tsx'
import { measureLike } from './fit.ts'

/** How cells are drawn: the reader's language, and letters as wide as the font that is there. */
export function useDrawing(element: RefObject<HTMLElement | null>): Drawing {
  const language = useLanguage()
  const [measure, setMeasure] = useState<Drawing['measure']>(() => () => 7)
  // Before the frame is painted: rows that were drawn with another measure would be drawn again.
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    setMeasure(() => measureLike(current))
    if (document.fonts.status === 'loaded') return
    // the font may come after the first rows; letters are measured again then
    void document.fonts.ready.then(() => setMeasure(() => measureLike(current)))
  }, [element])
  return useMemo(() => ({ language, measure }), [language, measure])
}
