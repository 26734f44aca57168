import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { createScroller } from './scroller.ts'
import type { RowSource, SourceSnapshot } from './row-source.ts'

export const HEAD = 34
/** The width of the row numbers: six and more digits, with a sign for about, need more of it. */
const gutterOf = (total: number): number => (total < 100_000 ? 52 : total < 10_000_000 ? 76 : 96)
/** Rows drawn beyond both edges. */
const BEYOND = 6
/** After this long without a move, scrolling has ended. */
const STILL = 160
/** Sideways moves are told in steps: only the choice of drawn columns depends on them. */
const SIDE_STEP = 80

export interface Sheet {
  readonly element: RefObject<HTMLDivElement | null>
  /** The height of the spacer. */
  readonly height: number
  readonly offset: number
  readonly first: number
  readonly last: number
  /** How many rows a page is. */
  readonly page: number
  readonly width: number
  readonly left: number
  readonly gutter: number
  readonly isRightToLeft: boolean
  /** Brings a row into view. */
  readonly reveal: (row: number) => void
  /** Brings a stretch of the width into view. */
  readonly revealSide: (from: number, to: number) => void
}

/** Which rows of the sheet are in view, and the scrollbar that says so. */
export function useSheet(source: RowSource, snapshot: SourceSnapshot, rowHeight: number): Sheet {
  const element = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState({ width: 1000, height: 600, isRightToLeft: false })
  const [top, setTop] = useState(0)
  const [left, setLeft] = useState(0)
  const now = useRef({ top: 0, speed: 0, time: 0 })
  const { total, shift } = snapshot
  const scroller = useMemo(() => {
    const made = createScroller(total * rowHeight, box.height)
    now.current.top = Math.max(0, Math.min(now.current.top, total * rowHeight - box.height))
    made.goTo(now.current.top)
    return made
  }, [total, rowHeight, box.height])

  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const observer = new ResizeObserver(() => {
      setBox({
        width: measured.clientWidth,
        height: Math.max(rowHeight, measured.clientHeight - HEAD),
        isRightToLeft: getComputedStyle(measured).direction === 'rtl',
      })
    })
    observer.observe(measured)
    return () => observer.disconnect()
  }, [rowHeight])

  const goTo = (place: number): void => {
    const to = Math.max(0, Math.min(place, total * rowHeight - box.height))
    now.current.top = to
    const native = scroller.goTo(to)
    if (element.current !== null) element.current.scrollTop = native
    setTop(to)
  }

  // a sheet of another height, or of another view, begins where the old one was
  useLayoutEffect(() => {
    const { current } = element
    const native = scroller.goTo(now.current.top)
    if (current !== null && Math.abs(current.scrollTop - native) > 1) current.scrollTop = native
    setTop(now.current.top)
  }, [scroller])

  const known = useRef({ source, shift })
  useLayoutEffect(() => {
    const before = known.current
    known.current = { source, shift }
    if (before.source !== source) goTo(0)
    else if (before.shift !== shift) goTo(now.current.top + (shift - before.shift) * rowHeight)
  })

  useEffect(() => {
    const scrolled = element.current
    if (scrolled === null) return undefined
    let still: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      const moved = scroller.moved(scrolled.scrollTop)
      if (moved.correct !== null) scrolled.scrollTop = moved.correct
      scrolled.toggleAttribute('data-side', scrolled.scrollLeft !== 0)
      const time = performance.now()
      const passed = Math.max(8, time - now.current.time)
      const speed = passed > 200 ? 0 : ((moved.top - now.current.top) / rowHeight / passed) * 1000
      now.current = { top: moved.top, time, speed: now.current.speed * 0.6 + speed * 0.4 }
      const side = Math.floor(Math.abs(scrolled.scrollLeft) / SIDE_STEP) * SIDE_STEP
      // in the same frame as the scroll itself, or the rows would come a frame late
      flushSync(() => {
        setTop(moved.top)
        setLeft(side)
      })
      clearTimeout(still)
      still = setTimeout(() => {
        now.current.speed = 0
      }, STILL)
    }
    scrolled.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(still)
      scrolled.removeEventListener('scroll', onScroll)
    }
  }, [scroller, rowHeight])

  const gutter = gutterOf(total)
  const inView = Math.ceil(box.height / rowHeight)
  const isWaiting = snapshot.state === 'loading' && total === 0
  const rows = isWaiting ? inView : total
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - BEYOND, rows - inView - BEYOND))
  const last = Math.min(rows, Math.ceil((top + box.height) / rowHeight) + BEYOND)
  useEffect(() => {
    if (!isWaiting) source.view(first, last, now.current.speed)
  }, [source, first, last, isWaiting, total])

  return {
    element,
    height: isWaiting ? inView * rowHeight : scroller.height,
    offset: scroller.offset(),
    first,
    last,
    page: Math.max(1, Math.floor(box.height / rowHeight) - 1),
    width: box.width,
    left,
    gutter,
    isRightToLeft: box.isRightToLeft,
    reveal: (row) => {
      const place = row * rowHeight
      const { top: from } = now.current
      if (row < 0 || place < from) goTo(Math.max(0, place))
      else if (place + rowHeight > from + box.height) goTo(place + rowHeight - box.height)
    },
    revealSide: (from, to) => {
      const scrolled = element.current
      if (scrolled === null) return
      const sign = box.isRightToLeft ? -1 : 1
      const side = Math.abs(scrolled.scrollLeft)
      if (from - side < gutter) scrolled.scrollLeft = sign * Math.max(0, from - gutter)
      else if (to - side > scrolled.clientWidth) scrolled.scrollLeft = sign * (to - scrolled.clientWidth)
    },
  }
}
