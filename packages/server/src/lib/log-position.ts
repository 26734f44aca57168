/** A position in the log of a database, as PostgreSQL writes it: `16/B374D848`. */
export type LogPosition = string

/** Later than every other: for a write whose position is not known. */
export const LAST_POSITION: LogPosition = 'FFFFFFFF/FFFFFFFF'

const form = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/u

export const isLogPosition = (text: string): boolean => form.test(text)

const numberOf = (position: LogPosition): bigint => {
  const [, high = '0', low = '0'] = form.exec(position) ?? []
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The later of two positions; null counts as the beginning. */
export function laterOf(one: LogPosition | null, other: LogPosition | null): LogPosition | null {
  if (one === null || other === null) return one ?? other
  return numberOf(one) < numberOf(other) ? other : one
}
