import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time, so that the duration does not reveal how much of the text matches. */
export const isEqualText = (value: unknown, text: string): boolean => {
  if (typeof value !== 'string') return false
  const [left, right] = [Buffer.from(value), Buffer.from(text)]
  return left.length === right.length && timingSafeEqual(left, right)
}
