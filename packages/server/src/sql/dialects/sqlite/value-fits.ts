import { dateOf, timestampKey, timeOf } from './timestamps.ts'
import { decimalOf, printDecimal } from './numbers.ts'
import { isJson } from './documents.ts'

const LIMIT = 2n ** 63n

function fitsInteger(text: string): boolean {
  const number = decimalOf(text.trim())
  if (number === null) return false
  const whole = BigInt(printDecimal(text.trim(), 0))
  return whole >= -LIMIT && whole < LIMIT
}

function fitsDigits(text: string, digits: string): boolean {
  if (decimalOf(text) === null) return false
  if (digits === '') return true
  const [precision = 0, scale = 0] = digits.split(' ').map(Number)
  const whole = printDecimal(text, scale).replace(/^-/u, '').split('.', 1)[0]?.replace(/^0+/u, '') ?? ''
  return whole.length <= precision - scale
}

const tests: Readonly<Record<string, (text: string, digits: string) => boolean>> = {
  int: fitsInteger,
  int8: fitsInteger,
  real: (text) => decimalOf(text) !== null,
  numeric: fitsDigits,
  decimal_text: fitsDigits,
  bool: (text) => /^\s*(t|true|f|false|y|yes|n|no|on|off|-?\d+(\.\d+)?)\s*$/iu.test(text),
  date: (text) => dateOf(text) !== null,
  time: (text) => timeOf(text) !== null || timestampKey(text, true) !== null,
  timestamp: (text) => timestampKey(text, true) !== null,
  datetime: (text) => timestampKey(text, false) !== null,
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text),
  json: isJson,
}

/** Whether a stored value can be converted to another type. */
export const fits = (baseType: string, text: string, digits: string): boolean => tests[baseType]?.(text, digits) ?? true
