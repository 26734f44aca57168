/** Nine digits are four bytes, fewer are fewer. */
const DIGITS = 9
const BYTES = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4] as const

const sizeOf = (digits: number): number => Math.floor(digits / DIGITS) * 4 + (BYTES[digits % DIGITS] ?? 0)

export const sizeOfDecimal = (precision: number, scale: number): number => sizeOf(precision - scale) + sizeOf(scale)

/** The first bit is the sign, the other way round; negative numbers have all bits turned. */
export function readDecimal(value: Buffer, precision: number, scale: number): string {
  const bytes = Buffer.from(value)
  const isNegative = ((bytes[0] ?? 0) & 0x80) === 0
  bytes[0] = (bytes[0] ?? 0) ^ 0x80
  if (isNegative) for (const [at, each] of bytes.entries()) bytes[at] = each ^ 0xff
  let at = 0
  const next = (digits: number): string => {
    const size = BYTES[digits] ?? 0
    at += size
    return size === 0 ? '' : String(bytes.readUIntBE(at - size, size)).padStart(digits, '0')
  }
  const whole = precision - scale
  let digits = next(whole % DIGITS)
  for (let left = Math.floor(whole / DIGITS); left > 0; left -= 1) digits += next(DIGITS)
  let fraction = ''
  for (let left = Math.floor(scale / DIGITS); left > 0; left -= 1) fraction += next(DIGITS)
  fraction += next(scale % DIGITS)
  const shown = digits.replace(/^0+(?=\d)/u, '') || '0'
  return `${isNegative ? '-' : ''}${shown}${scale === 0 ? '' : `.${fraction}`}`
}
