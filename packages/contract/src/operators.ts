/** The form of an operand: one value, a list, two values, a boolean, a JSON condition or a geometry. */
export type OperandShape = 'value' | 'list' | 'pair' | 'flag' | 'json' | 'geometry'

interface AnyOperator {
  /** Text operators search in any value's text; the others use the type's own equality and order. */
  readonly tests: 'equality' | 'order' | 'null' | 'empty' | 'text' | 'json' | 'geometry'
  /** Holds where its counterpart does not. */
  readonly negates: boolean
  /** Can test a value inside a document, under `_json`. */
  readonly insideJson: boolean
}

/** `withNull`: the operator that null as operand stands for; null if there is no such comparison. */
interface ValueOperator<Name> extends AnyOperator {
  readonly operand: 'value'
  readonly withNull: Name | null
}

/** `onEmptyList`: the result for every value if the list is empty. */
interface ListOperator extends AnyOperator {
  readonly operand: 'list'
  readonly onEmptyList: boolean
}

/** `whenMissing`: the result where there is no value. `opposite`: the operator that the operand `false` stands for. */
interface FlagOperator<Name> extends AnyOperator {
  readonly operand: 'flag'
  readonly whenMissing: boolean
  readonly opposite: Name
}

interface OtherOperator extends AnyOperator {
  readonly operand: 'pair' | 'json' | 'geometry'
}

type OperatorRow<Name> = ValueOperator<Name> | ListOperator | FlagOperator<Name> | OtherOperator

const table = {
  _eq: { operand: 'value', tests: 'equality', negates: false, insideJson: true, withNull: '_null' },
  _neq: { operand: 'value', tests: 'equality', negates: true, insideJson: true, withNull: '_nnull' },
  _lt: { operand: 'value', tests: 'order', negates: false, insideJson: true, withNull: null },
  _lte: { operand: 'value', tests: 'order', negates: false, insideJson: true, withNull: null },
  _gt: { operand: 'value', tests: 'order', negates: false, insideJson: true, withNull: null },
  _gte: { operand: 'value', tests: 'order', negates: false, insideJson: true, withNull: null },
  _in: { operand: 'list', tests: 'equality', negates: false, insideJson: true, onEmptyList: false },
  _nin: { operand: 'list', tests: 'equality', negates: true, insideJson: true, onEmptyList: true },
  _between: { operand: 'pair', tests: 'order', negates: false, insideJson: true },
  _nbetween: { operand: 'pair', tests: 'order', negates: true, insideJson: true },
  _null: { operand: 'flag', tests: 'null', negates: false, insideJson: true, whenMissing: true, opposite: '_nnull' },
  _nnull: { operand: 'flag', tests: 'null', negates: true, insideJson: true, whenMissing: false, opposite: '_null' },
  _empty: {
    operand: 'flag',
    tests: 'empty',
    negates: false,
    insideJson: false,
    whenMissing: true,
    opposite: '_nempty',
  },
  _nempty: {
    operand: 'flag',
    tests: 'empty',
    negates: true,
    insideJson: false,
    whenMissing: false,
    opposite: '_empty',
  },
  _contains: { operand: 'value', tests: 'text', negates: false, insideJson: true, withNull: null },
  _ncontains: { operand: 'value', tests: 'text', negates: true, insideJson: true, withNull: null },
  _icontains: { operand: 'value', tests: 'text', negates: false, insideJson: true, withNull: null },
  _starts_with: { operand: 'value', tests: 'text', negates: false, insideJson: true, withNull: null },
  _nstarts_with: { operand: 'value', tests: 'text', negates: true, insideJson: false, withNull: null },
  _istarts_with: { operand: 'value', tests: 'text', negates: false, insideJson: false, withNull: null },
  _nistarts_with: { operand: 'value', tests: 'text', negates: true, insideJson: false, withNull: null },
  _ends_with: { operand: 'value', tests: 'text', negates: false, insideJson: true, withNull: null },
  _nends_with: { operand: 'value', tests: 'text', negates: true, insideJson: false, withNull: null },
  _iends_with: { operand: 'value', tests: 'text', negates: false, insideJson: false, withNull: null },
  _niends_with: { operand: 'value', tests: 'text', negates: true, insideJson: false, withNull: null },
  _json: { operand: 'json', tests: 'json', negates: false, insideJson: false },
  _intersects: { operand: 'geometry', tests: 'geometry', negates: false, insideJson: false },
  _nintersects: { operand: 'geometry', tests: 'geometry', negates: true, insideJson: false },
  _intersects_bbox: { operand: 'geometry', tests: 'geometry', negates: false, insideJson: false },
  _nintersects_bbox: { operand: 'geometry', tests: 'geometry', negates: true, insideJson: false },
} as const satisfies Record<string, OperatorRow<string>>

export type Operator = keyof typeof table

/** Filter operators. */
export const operators: Readonly<Record<Operator, OperatorRow<Operator>>> = table

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
