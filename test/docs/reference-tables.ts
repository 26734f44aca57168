import { errorCodes, operatorFamilies, operators, type Operator, type OperandShape } from '@tain/contract'

const operands: Readonly<Record<OperandShape, string>> = {
  value: 'a value',
  list: 'a list',
  pair: 'two values',
  flag: '`true` or `false`',
  json: 'a path and a condition',
  geometry: 'a GeoJSON object',
}

const meanings: Readonly<Record<Operator, string>> = {
  _eq: 'equal; `null` means `_null`',
  _neq: 'not equal; `null` means `_nnull`',
  _lt: 'less than',
  _lte: 'less than or equal',
  _gt: 'greater than',
  _gte: 'greater than or equal',
  _in: 'equal to one of the values',
  _nin: 'equal to none of the values',
  _between: 'between the values, or equal to one of them',
  _nbetween: 'outside the values',
  _null: 'NULL',
  _nnull: 'not NULL',
  _empty: 'NULL or empty text',
  _nempty: 'neither NULL nor empty text',
  _contains: 'contains the text',
  _ncontains: 'does not contain the text',
  _icontains: 'contains the text, ignoring case',
  _starts_with: 'starts with the text',
  _nstarts_with: 'does not start with the text',
  _istarts_with: 'starts with the text, ignoring case',
  _nistarts_with: 'does not start with the text, ignoring case',
  _ends_with: 'ends with the text',
  _nends_with: 'does not end with the text',
  _iends_with: 'ends with the text, ignoring case',
  _niends_with: 'does not end with the text, ignoring case',
  _json: 'a value inside the document matches',
  _intersects: 'intersects the geometry',
  _nintersects: 'does not intersect the geometry',
  _intersects_bbox: 'intersects the bounding box',
  _nintersects_bbox: 'does not intersect the bounding box',
}

/** Families in the words of field types; `concealed` fields are those of any type whose value is hidden. */
const families: Readonly<Record<keyof typeof operatorFamilies, string>> = {
  text: 'text',
  key: 'uuid',
  ordered: 'numbers, dates',
  any: 'timestamp, unknown',
  flag: 'boolean',
  json: 'json',
  concealed: 'secrets',
  geometry: 'geometry',
}

const familiesOf = (operator: Operator): string =>
  Object.entries(operatorFamilies)
    .filter(([, members]) => (members as readonly Operator[]).includes(operator))
    .map(([family]) => families[family as keyof typeof operatorFamilies])
    .join(', ')

/** The table of operators in the query guide. */
export const operatorTable: readonly string[] = [
  '| Operator | Operand | Matches if the value is … | Field types |',
  '|---|---|---|---|',
  ...Object.entries(operators).map(
    ([name, { operand }]) =>
      `| \`${name}\` | ${operands[operand]} | ${meanings[name as Operator]} | ${familiesOf(name as Operator)} |`,
  ),
]

/** The table of error codes, each with a link to its section. */
export const errorTable: readonly string[] = [
  '| Code | Status | Message |',
  '|---|---|---|',
  ...Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| [\`${code}\`](#${code.toLowerCase()}) | ${status} | ${message} |`,
  ),
]
