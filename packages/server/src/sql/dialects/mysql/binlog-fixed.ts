import type { FixedKind } from './binlog-table.ts'

/** Addresses with an IPv4 address at their end are shown with it. */
function inet6(bytes: Buffer): string {
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2))
  const gap = longestGap(words)
  const isBegun = (count: number) => words.slice(0, count).every((word) => word === 0)
  const hasInet4 = (isBegun(6) && (words[6] ?? 0) !== 0) || (isBegun(5) && words[5] === 0xff_ff)
  const shown = words.map((word) => word.toString(16))
  const end = hasInet4 ? [bytes.subarray(12).join('.')] : shown.slice(6)
  const all = [...shown.slice(0, 6), ...end]
  if (gap.length === 0) return all.join(':')
  const after = all.slice(Math.min(gap.at + gap.length, all.length))
  return `${all.slice(0, gap.at).join(':')}::${after.join(':')}`
}

/** The first of the longest runs of zeros. */
function longestGap(words: readonly number[]): { at: number; length: number } {
  let best = { at: 0, length: 0 }
  for (let at = 0; at < words.length; at += 1) {
    let length = 0
    while (words[at + length] === 0) length += 1
    if (length > best.length) best = { at, length }
    at += length
  }
  return best
}

/** Values of types that are bytes in the log. */
export function readFixed(bytes: Buffer, kind: FixedKind): string | undefined {
  if (kind === 'unreadable') return undefined
  if (kind === 'inet4') return bytes.join('.')
  if (kind === 'inet6') return inet6(bytes)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}
