/** Measures one character in pixels. */
export type Measure = (letter: string) => number

/** Cuts text to a width. A clip per cell would cost more than all else that a frame paints. */
export function fitText(text: string, width: number, measure: Measure): string {
  // most texts are short: 11 px is wider than any letter of the grid's font but the widest
  if (text.length * 11 <= width && !text.includes('\n')) return text
  const dots = measure('…')
  let used = 0
  let cut = 0
  let length = 0
  for (const letter of text) {
    if (letter === '\n') return `${text.slice(0, length)}…`
    used += measure(letter)
    if (used > width) return `${text.slice(0, cut).trimEnd()}…`
    length += letter.length
    if (used + dots <= width) cut = length
  }
  return text
}

/** Measures with the font of an element, each letter once. */
export function measureLike(element: HTMLElement): Measure {
  const widths = new Map<string, number>()
  const context = document.createElement('canvas').getContext('2d')
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  if (context !== null) context.font = `${fontWeight} ${fontSize} ${fontFamily}`
  return (letter) => {
    const known = widths.get(letter)
    if (known !== undefined) return known
    const measured = context?.measureText(letter).width ?? 8
    widths.set(letter, measured)
    return measured
  }
}
