/** States whose colour people know; everything else gets one from its letters. */
const known: Readonly<Record<string, number>> = {
  draft: 240,
  new: 240,
  open: 240,
  pending: 80,
  waiting: 80,
  paid: 160,
  packed: 300,
  shipped: 80,
  delivered: 160,
  active: 160,
  published: 160,
  done: 160,
  solved: 160,
  returned: 40,
  cancelled: 20,
  canceled: 20,
  failed: 20,
  suspended: 20,
  archived: 260,
  invited: 80,
  refunded: 40,
}

/** One of 18 hues for a value, the same one everywhere. */
export function hueOf(value: string): number {
  const fixed = known[value.toLowerCase()]
  if (fixed !== undefined) return fixed
  let sum = 7
  for (const letter of value) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360
  return (Math.round(sum / 20) * 20) % 360
}
