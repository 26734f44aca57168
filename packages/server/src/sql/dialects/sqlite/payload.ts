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
import { sentDate, sentTimestamp, sentTime, shortTimestamp } from './timestamps.ts'
import { decimalOf, printDecimal } from './numbers.ts'

const LIMIT = 2n ** 63n
const limits: Readonly<Record<string, bigint>> = { smallint: 2n ** 15n, int2: 2n ** 15n, tinyint: 2n ** 8n }

const wholeNumber = integer(
  (number) => Math.abs(number) < 256,
  (number, { dataType }) => {
    const limit = limits[dataType] ?? LIMIT
    return number >= -limit && number < limit
  },
)

function float(value: unknown): string {
  const written = numberText(value)
  checkNumber(written)
  if (!Number.isFinite(Number(written))) throw new ValueError('out-of-range', 'is out of range')
  return text(written)
}

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = numberText(value)
  checkNumber(written)
  if (decimalOf(written) === null) throw new ValueError('invalid', 'takes a number')
  const digits = printDecimal(written, column.numericScale)
  const whole = digits.replace(/^-/u, '').split('.', 1)[0]?.replace(/^0+/u, '') ?? ''
  checkPrecision(whole.length, column)
  return text(digits)
}

const normalTimestamp = (heedsZone: boolean) => (written: string) => {
  const key = sentTimestamp(written, heedsZone)
  return key === null ? null : shortTimestamp(key)
}

/** Times are checked down to the day of the month, because the database accepts any text. */
export const payloadValue: Write = createPayloadValue({
  integer: wholeNumber,
  float,
  decimal,
  uuid: lowerCaseUuid,
  string: string([checkWellFormed, checkLength, checkLabel]),
  json: wellFormedJson,
  printed,
  date: dateOrTime('a date', sentDate),
  dateTime: dateOrTime('a date and time', normalTimestamp(false)),
  timestamp: dateOrTime('a date and time', normalTimestamp(true)),
  time: dateOrTime('a time', sentTime),
})
