import { parseExactJson } from '../../../lib/exact-json.ts'
import { ValueError, type TypedColumn } from '../../dialect.ts'
import {
  checkLabel,
  checkLength,
  checkNumber,
  checkPrecision,
  createPayloadValue,
  dateOrTime,
  documentText,
  integer,
  numberText,
  printedScalar,
  string,
  text,
  uuid,
  type Write,
} from '../base/payload.ts'
import { dimensionsOf, writeArray } from './array-text.ts'
import { elementOf } from './arrays.ts'
import { wordOf } from './operands.ts'
import { isTimestampText, isTimeText } from './times.ts'

const ranges: Readonly<Record<string, bigint>> = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

const SMALL = 32_768

const wholeNumber = integer(
  (number) => Math.abs(number) < SMALL,
  (number, { baseType }) => {
    const limit = ranges[baseType] ?? 2n ** 63n
    return number >= -limit && number < limit
  },
)

function decimal(value: unknown, { column }: TypedColumn): string {
  const written = numberText(value)
  if (/^(NaN|[+-]?Infinity)$/u.test(written)) return text(written)
  checkNumber(written)
  if (column.baseType === 'numeric' && !/e/iu.test(written)) {
    const whole = (written.replace(/^[+-]/u, '').split('.', 1)[0] ?? '').replace(/^0+/u, '')
    checkPrecision(whole.length, column)
  }
  return text(written)
}

/** Checks the text; the database converts it to the column's type. */
const checked = (what: string, isFine: (written: string) => boolean): Write =>
  dateOrTime(what, (written) => (isFine(written) ? written : null))

const MAX_DIMENSIONS = 6

/** A list whose elements are written like values of the element type. */
function list(value: unknown, typed: TypedColumn): string {
  if (!Array.isArray(value)) throw new ValueError('invalid', 'takes a list')
  const element = elementOf(typed)
  const { baseType } = element.column
  // Here an inner list is a JSON document; for every other type it is another dimension.
  if (baseType === 'json' || baseType === 'jsonb') {
    const documents = value.map((item) => (item === null ? null : payloadValue(item, element)))
    return text(writeArray(documents, baseType))
  }
  const dimensions = dimensionsOf(value)
  if (dimensions === null || dimensions.length > MAX_DIMENSIONS)
    throw new ValueError('invalid', 'takes lists of one length inside a list')
  const written = (items: readonly unknown[]): string =>
    `[${items.map((item) => (Array.isArray(item) ? written(item) : payloadValue(item, element))).join(',')}]`
  return written(value)
}

function json(value: unknown, typed: TypedColumn): string {
  const { column } = typed
  if (column.elementType !== null) return list(value, typed)
  const written = documentText(value)
  return column.baseType === 'json' || column.baseType === 'jsonb' ? written : text(written)
}

export const payloadValue: Write = createPayloadValue({
  integer: wholeNumber,
  float: decimal,
  decimal,
  uuid,
  string: string([checkLength, checkLabel]),
  json,
  printed: (value) => printedScalar(value) ?? JSON.stringify(value),
  date: checked('a date', isTimestampText),
  dateTime: checked('a date and time', isTimestampText),
  timestamp: checked('a date and time', isTimestampText),
  time: checked('a time', isTimeText),
})

/** A key may have the form that responses show, or the form that the database prints. */
export function keyValue(key: string, column: TypedColumn): string {
  if (column.type === 'boolean') return payloadValue(wordOf(key), column)
  if (column.column.elementType === null) return payloadValue(key, column)
  if (!key.startsWith('[')) return text(key)
  return payloadValue(parseExactJson(key), column)
}
