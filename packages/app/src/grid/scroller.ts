/** The tallest spacer: browsers stop drawing at about 17.9 million pixels. */
const TALLEST = 8_000_000
/** Moves up to this many screens are pixel for pixel; longer ones are drags of the scrollbar. */
const NEAR = 3

export interface Scroller {
  /** The height of the spacer that gives the scrollbar its length. */
  readonly height: number
  /** What to subtract from a place in the sheet to get its place in the spacer. */
  readonly offset: () => number
  /** The scrollbar moved: where the sheet is now. `correct`: where the scrollbar must be put instead. */
  readonly moved: (native: number) => { readonly top: number; readonly correct: number | null }
  /** Goes to a place of the sheet: where the scrollbar must be put. */
  readonly goTo: (top: number) => number
}

/**
 * Maps a sheet that is too tall for any browser onto a scrollbar that one can draw. The sheet is cut into pages that
 * overlap in the spacer: within one, scrolling is pixel for pixel; crossing into the next, the scrollbar is put back by
 * a little. A drag over a long way is scaled.
 */
export function createScroller(total: number, view: number, tallest = TALLEST): Scroller {
  const height = Math.min(total, tallest)
  const pageSize = height / 100
  const pages = Math.max(1, Math.floor(total / Math.max(1, pageSize)))
  const step = total <= tallest || pages < 2 ? 0 : (total - height) / (pages - 1)
  let page = 0
  let last = 0
  const offset = (): number => Math.round(page * step)
  const pageAt = (top: number): number => Math.min(pages - 1, Math.max(0, Math.floor(top / pageSize)))
  return {
    height,
    offset,
    moved: (native) => {
      const distance = Math.abs(native - last)
      last = native
      if (step === 0) return { top: native, correct: null }
      if (distance >= view * NEAR) {
        page = pageAt((native * (total - view)) / Math.max(1, height - view))
        return { top: Math.max(0, Math.min(native + offset(), total - view)), correct: null }
      }
      const top = native + offset()
      const now = pageAt(top)
      if (now === page) return { top, correct: null }
      page = now
      last = top - offset()
      return { top, correct: last === native ? null : last }
    },
    goTo: (top) => {
      page = step === 0 ? 0 : pageAt(top)
      last = top - offset()
      return last
    },
  }
}
