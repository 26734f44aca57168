import type { Row } from '../model/key.ts'

/** Rows that were read together, at their place in the sheet. */
export interface Window {
  readonly start: number
  readonly rows: readonly Row[]
  readonly etags: readonly (string | null)[]
  /** Leads to the rows after, and before; null: there are none. */
  readonly next: string | null
  readonly previous: string | null
  /** Whether `start` is counted, not estimated. */
  readonly isPlaced: boolean
}

export const endOf = ({ start, rows }: Window): number => start + rows.length

export const windowAt = (windows: readonly Window[], index: number): Window | undefined =>
  windows.find((each) => index >= each.start && index < endOf(each))

/** Adds a window. What it covers gives way, and the farthest from it are dropped beyond `kept`. */
export function withWindow(windows: readonly Window[], added: Window, kept: number): readonly Window[] {
  const others = windows.filter((each) => endOf(each) <= added.start || each.start >= endOf(added))
  const all = [...others, added]
  while (all.length > kept) {
    const far = all.reduce((one, other) =>
      Math.abs(other.start - added.start) > Math.abs(one.start - added.start) ? other : one,
    )
    all.splice(all.indexOf(far), 1)
  }
  return all.toSorted((one, other) => one.start - other.start)
}

/** The windows that lie side by side with one, itself among them. */
export function chainOf(windows: readonly Window[], member: Window): readonly Window[] {
  const chain = [member]
  for (let changed = true; changed;) {
    changed = false
    for (const each of windows) {
      if (chain.includes(each)) continue
      if (!chain.some((other) => endOf(other) === each.start || endOf(each) === other.start)) continue
      chain.push(each)
      changed = true
    }
  }
  return chain.toSorted((one, other) => one.start - other.start)
}

export const shifted = (window: Window, by: number, isPlaced: boolean): Window => ({
  ...window,
  start: window.start + by,
  isPlaced,
})
