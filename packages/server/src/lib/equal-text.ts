import { timingSafeEqual } from 'node:crypto'

/** Whether it is this text, in a time that does not tell how much of it is the same. */
export const isEqualText = (value: unknown, text: string): boolean => {
  if (typeof value !== 'string') return false
  const [left, right] = [Buffer.from(value), Buffer.from(text)]
  return left.length === right.length && timingSafeEqual(left, right)
}
