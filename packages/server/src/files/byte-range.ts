/** The first and the last byte of a part of a file. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * What a `Range` header asks of a file of `size` bytes. Everything but one well-formed range of bytes asks for the whole
 * file; a range without a byte in the file cannot be satisfied.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const found = /^bytes=\s*(\d*)-(\d*)\s*$/iu.exec(header ?? '')
  const [, from = '', to = ''] = found ?? []
  if (found === null || (from === '' && to === '')) return 'whole'
  if (from === '') return lastBytes(Number(to), size)
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
  return first < size && first <= last ? { first, last } : 'unsatisfiable'
}

const lastBytes = (count: number, size: number): ByteRange | 'unsatisfiable' =>
  count === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(0, size - count), last: size - 1 }
