/** A decimal number: its digits without the decimal point, and how many of them come after it. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const pattern = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?\s*$/iu

/** null for text that is not a number. */
export function decimalOf(text: string): Decimal | null {
  const found = pattern.exec(text)
  if (found === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found
  if (whole === '' && fraction === '') return null
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Prints exactly `scale` digits after the decimal point. */
function printed({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString()
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Rounds halves away from zero. */
function rounded({ digits, scale }: Decimal, to: number): Decimal {
  if (scale <= to) return { digits: digits * 10n ** BigInt(to - scale), scale: to }
  const unit = 10n ** BigInt(scale - to)
  const half = digits < 0n ? -unit / 2n : unit / 2n
  return { digits: (digits + half) / unit, scale: to }
}

/** A number that is already in its printed form, except for trailing zeros. */
const ordinary = /^(?:0|-?[1-9]\d*)(?:\.(\d+))?$/u

/** The number with the given number of decimals; null keeps the existing ones. */
export function printDecimal(text: string, scale: number | null): string {
  const found = ordinary.exec(text)
  if (found !== null) {
    const missing = scale === null ? 0 : scale - (found[1]?.length ?? 0)
    if (missing === 0) return text
    if (missing > 0) return `${text}${found[1] === undefined ? '.' : ''}${'0'.repeat(missing)}`
  }
  const plain = isKey(text) ? textOfKey(text) : text
  const number = decimalOf(plain)
  if (number === null) return plain
  return printed(scale === null ? number : rounded(number, scale))
}

const add = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale)
  return { digits: rounded(a, scale).digits + rounded(b, scale).digits, scale }
}

export const sumOf = (a: string, b: string): string => {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (left === null || right === null) return 'NaN'
  return printed(add(left, right))
}

const MIN_DIGITS = 16
const GROUP = 4

/** Position and value of the first group of four decimal digits, as PostgreSQL stores numbers. */
function leading({ digits, scale }: Decimal): { readonly weight: number; readonly first: number } {
  if (digits === 0n) return { weight: 0, first: 0 }
  const text = (digits < 0n ? -digits : digits).toString()
  // The position of the first digit, counted from the decimal point.
  const position = text.length - scale - 1
  const weight = Math.floor(position / GROUP)
  const length = position - weight * GROUP + 1
  return { weight, first: Number(text.slice(0, length).padEnd(length, '0')) }
}

/** A quotient with the digits that PostgreSQL returns. */
export function quotientOf(dividend: string, divisor: string): string {
  const [a, b] = [decimalOf(dividend), decimalOf(divisor)]
  if (a === null || b === null || b.digits === 0n) return 'NaN'
  const [left, right] = [leading(a), leading(b)]
  const weight = left.weight - right.weight - (left.first <= right.first ? 1 : 0)
  const scale = Math.min(1000, Math.max(MIN_DIGITS - weight * GROUP, a.scale, b.scale, 0))
  const shifted = a.digits * 10n ** BigInt(scale + b.scale + 1)
  const exact = shifted / (b.digits * 10n ** BigInt(a.scale))
  return printed(rounded({ digits: exact, scale: scale + 1 }, scale))
}

const MIDDLE = 500_000

/** Keys begin with a character that starts neither a number nor any other useful text. */
const KEY = '\u0001'

const isKey = (text: string) => text.startsWith(KEY)

/** Complements the digits: a negative number with larger digits is smaller. */
const reversed = (digits: string) => digits.replaceAll(/\d/gu, (digit) => String(9 - Number(digit)))

/** A text whose bytes sort like the number. A key is returned unchanged; text that is not a number comes last. */
export const numberKey = (text: string): string => (isKey(text) ? text : `${KEY}${rankOf(text)}`)

function rankOf(text: string): string {
  const number = decimalOf(text)
  if (number === null) return /^-inf/iu.test(text) ? 'a' : /^\+?inf/iu.test(text) ? 'cz' : `d${text}`
  if (number.digits === 0n) return 'b'
  const digits = (number.digits < 0n ? -number.digits : number.digits).toString()
  const exponent = digits.length - number.scale + MIDDLE
  const significant = digits.replace(/0+$/u, '')
  if (number.digits > 0n) return `c${String(exponent).padStart(6, '0')}${significant}`
  return `a${String(999_999 - exponent).padStart(6, '0')}${reversed(significant)}~`
}

/** The number of a key, without trailing zeros. */
export function textOfKey(text: string): string {
  const key = text.slice(KEY.length)
  if (key === 'b') return '0'
  if (key === 'a') return '-Infinity'
  if (key === 'cz') return 'Infinity'
  if (key.startsWith('d')) return key.slice(1)
  const isNegative = key.startsWith('a')
  const stored = Number(key.slice(1, 7))
  const exponent = (isNegative ? 999_999 - stored : stored) - MIDDLE
  const significant = isNegative ? reversed(key.slice(7, -1)) : key.slice(7)
  const scale = significant.length - exponent
  const digits = BigInt(significant) * (isNegative ? -1n : 1n)
  return printed(scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 })
}

/** A float as PostgreSQL prints it: shortest digits, with an exponent below 1e-4 and from 1e15 on. */
export function printFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? '-0' : String(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-4 && magnitude < 1e15) return String(value)
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
}

const WHOLE = /^[+-]?\d{1,18}$/u

/** Text that looks like a number as that number; any other text unchanged. */
export function scalarOf(text: string): bigint | number | string {
  if (WHOLE.test(text)) return BigInt(text.replace('+', ''))
  return text.trim() !== '' && decimalOf(text) !== null ? Number(text) : text
}
