import { describe, expect, it } from 'vitest'
import { createScroller } from './scroller.ts'

const VIEW = 700
const TOTAL = 1_000_000 * 34

describe('a sheet that fits the browser', () => {
  it('scrolls pixel for pixel', () => {
    const scroller = createScroller(50_000, VIEW)
    expect(scroller.height).toBe(50_000)
    expect(scroller.moved(12_345)).toEqual({ top: 12_345, correct: null })
    expect(scroller.offset()).toBe(0)
  })
})

describe('a sheet that is taller than the browser draws', () => {
  it('has a spacer of at most eight million pixels', () => {
    expect(createScroller(TOTAL, VIEW).height).toBe(8_000_000)
  })
  it('moves pixel for pixel over the edge of a page', () => {
    const scroller = createScroller(TOTAL, VIEW)
    let native = scroller.goTo(79_900)
    let top = 79_900
    for (let step = 0; step < 100; step++) {
      native += 40
      const moved = scroller.moved(native)
      expect(moved.top).toBe(top + 40)
      top = moved.top
      native = moved.correct ?? native
    }
  })
  it('reaches both ends by dragging', () => {
    const scroller = createScroller(TOTAL, VIEW)
    expect(scroller.moved(scroller.height - VIEW).top).toBe(TOTAL - VIEW)
    expect(scroller.moved(0).top).toBe(0)
  })
  it('lands in proportion', () => {
    const scroller = createScroller(TOTAL, VIEW)
    expect(scroller.moved(4_000_000).top / TOTAL).toBeCloseTo(0.5, 2)
  })
  it('goes exactly where it is sent, and inside the spacer', () => {
    const scroller = createScroller(TOTAL, VIEW)
    for (const top of [0, 1, 79_999, 80_000, 17_000_017, TOTAL - VIEW]) {
      const native = scroller.goTo(top)
      expect(native).toBeGreaterThanOrEqual(0)
      expect(native).toBeLessThanOrEqual(scroller.height - VIEW)
      expect(native + scroller.offset()).toBe(top)
    }
  })
})
