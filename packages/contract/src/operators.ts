/** The form of an operand: one value, a list, two values, a boolean, a JSON condition or a geometry. */
export type OperandShape = 'value' | 'list' | 'pair' | 'flag' | 'json' | 'geometry'

/** Filter operators. `_contains` and the like compare text; the others use the type's own order and equality. */
export const operators = {
  _eq: { operand: 'value' },
  _neq: { operand: 'value' },
  _lt: { operand: 'value' },
  _lte: { operand: 'value' },
  _gt: { operand: 'value' },
  _gte: { operand: 'value' },
  _in: { operand: 'list' },
  _nin: { operand: 'list' },
  _between: { operand: 'pair' },
  _nbetween: { operand: 'pair' },
  _null: { operand: 'flag' },
  _nnull: { operand: 'flag' },
  _empty: { operand: 'flag' },
  _nempty: { operand: 'flag' },
  _contains: { operand: 'value' },
  _ncontains: { operand: 'value' },
  _icontains: { operand: 'value' },
  _starts_with: { operand: 'value' },
  _nstarts_with: { operand: 'value' },
  _istarts_with: { operand: 'value' },
  _nistarts_with: { operand: 'value' },
  _ends_with: { operand: 'value' },
  _nends_with: { operand: 'value' },
  _iends_with: { operand: 'value' },
  _niends_with: { operand: 'value' },
  _json: { operand: 'json' },
  _intersects: { operand: 'geometry' },
  _nintersects: { operand: 'geometry' },
  _intersects_bbox: { operand: 'geometry' },
  _nintersects_bbox: { operand: 'geometry' },
} as const satisfies Record<string, { operand: OperandShape }>

export type Operator = keyof typeof operators

export const isOperator = (name: string): name is Operator => Object.hasOwn(operators, name)

const equality = ['_eq', '_neq', '_in', '_nin', '_null', '_nnull'] as const
const order = ['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween'] as const
const emptiness = ['_empty', '_nempty'] as const

/** The operators that each family of types supports; any other is INVALID_QUERY. */
export const operatorFamilies = {
  text: [
    ...equality,
    ...emptiness,
    '_contains',
    '_ncontains',
    '_icontains',
    '_starts_with',
    '_nstarts_with',
    '_istarts_with',
    '_nistarts_with',
    '_ends_with',
    '_nends_with',
    '_iends_with',
    '_niends_with',
  ],
  key: equality,
  ordered: [...equality, ...order],
  any: [...equality, ...order, ...emptiness, '_contains', '_ncontains'],
  flag: ['_eq', '_neq', '_null', '_nnull'],
  json: ['_null', '_nnull', '_json'],
  concealed: ['_null', '_nnull', ...emptiness],
  geometry: ['_eq', '_neq', '_null', '_nnull', '_intersects', '_nintersects', '_intersects_bbox', '_nintersects_bbox'],
} as const satisfies Record<string, readonly Operator[]>

export type OperatorFamily = keyof typeof operatorFamilies

export const familyHas = (family: OperatorFamily, operator: Operator): boolean =>
  (operatorFamilies[family] as readonly Operator[]).includes(operator)
