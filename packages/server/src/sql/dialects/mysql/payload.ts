import type { DatabaseColumn } from '../../database-schema.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'
import {
  checkLabel,
  checkLength,
  checkNumber,
  checkPrecision,
  checkWellFormed,
  createPayloadValue,
  dateOrTime,
  integer,
  lowerCaseUuid,
  numberText,
  printed,
  string,
  text,
  wellFormedJson,
  type Write,
} from '../base/payload.ts'
import { dateText, dateTimeText, timestampText, timeText } from './timestamps.ts'
import { flagRange, isInRange } from './types.ts'

/** Non-negative numbers below this are in the range of every integer type. */
const SMALL = 128

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = numberText(value)
  checkNumber(written)
  if (column.baseType === 'decimal') {
    checkPrecision(wholeDigits(written), column)
  } else {
    const number = column.baseType === 'float' ? Math.fround(Number(written)) : Number(written)
    if (!Number.isFinite(number)) throw new ValueError('out-of-range', 'is out of range')
  }
  return text(written)
}

/** The number of digits before the decimal point. */
function wholeDigits(written: string): number {
  const [mantissa = '', exponent = '0'] = written.replace(/^[+-]/u, '').split(/e/iu)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`
  const leading = /^0*/u.exec(digits)?.[0].length ?? 0
  return leading === digits.length ? 0 : whole.length + Number(exponent) - leading
}

function checkLengthOrLabels(written: string, column: DatabaseColumn): void {
  if (column.enumValues === null) checkLength(written, column)
  else checkLabel(written, column, column.baseType === 'set' ? written.split(',').filter(Boolean) : [written])
}

export const payloadValue: Write = createPayloadValue({
  integer: integer(
    (number) => number >= 0 && number < SMALL,
    (number, column) => isInRange(number, column.baseType === 'bool' ? flagRange(column) : column.baseType),
  ),
  float: decimal,
  decimal,
  uuid: lowerCaseUuid,
  string: string([checkWellFormed, checkLengthOrLabels]),
  json: wellFormedJson,
  printed,
  date: dateOrTime('a date', dateText),
  dateTime: dateOrTime('a date and time', dateTimeText),
  timestamp: dateOrTime('a date and time', timestampText),
  time: dateOrTime('a time', timeText),
})
