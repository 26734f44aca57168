/** The items in their order, in lists of at most so many and of at most that size; one that is larger is alone. */
export function* pieces<T>(
  items: readonly T[],
  most: { readonly count: number; readonly size: number },
  sizeOf: (item: T) => number,
): Generator<readonly T[]> {
  let piece: T[] = []
  let size = 0
  for (const item of items) {
    const own = sizeOf(item)
    if (piece.length > 0 && (piece.length >= most.count || size + own > most.size)) {
      yield piece
      piece = []
      size = 0
    }
    piece.push(item)
    size += own
  }
  if (piece.length > 0) yield piece
}
