import {
  fieldFunctions,
  fieldTypes,
  forGeometries,
  operatorFamilies,
  operators,
  type FieldDescription,
  type FieldFunction,
  type FieldType,
  type Operator,
  type OperatorFamily,
} from '@tain/contract'
import { interfaceOf, literals, type Member } from './source-text.ts'
import { writeType } from './value-types.ts'

/** Conditions by family of operators. `Value` is what the field is compared with. */
const families: Readonly<Record<OperatorFamily, string>> = {
  text: 'TextConditions',
  key: 'KeyConditions',
  ordered: 'OrderedConditions',
  any: 'AnyConditions',
  flag: 'FlagConditions',
  json: 'JsonConditions',
  concealed: 'SecretConditions',
  geometry: 'GeometryConditions',
}

/** Filters by field type; several types may share one. */
const filters: Readonly<Record<FieldType, string>> = {
  string: 'StringFilter',
  text: 'StringFilter',
  csv: 'StringFilter',
  binary: 'BinaryFilter',
  uuid: 'UuidFilter',
  integer: 'IntegerFilter',
  bigInteger: 'BigIntegerFilter',
  float: 'FloatFilter',
  decimal: 'DecimalFilter',
  boolean: 'BooleanFilter',
  date: 'DateFilter',
  dateTime: 'DateTimeFilter',
  time: 'TimeFilter',
  timestamp: 'TimestampFilter',
  json: 'JsonFilter',
  hash: 'HashFilter',
  ...forGeometries('GeometryFilter'),
  unknown: 'UnknownFilter',
  alias: 'PresenceFilter',
}

function operandOf(operator: Operator): string {
  const row = operators[operator]
  switch (row.operand) {
    case 'value':
      if (row.tests === 'text') return 'string'
      return row.withNull === null ? 'Value' : 'Value | null'
    case 'list':
      return 'readonly Value[]'
    case 'pair':
      return 'readonly [Value, Value]'
    case 'flag':
      return 'boolean'
    case 'json':
      return 'JsonPaths'
    case 'geometry':
      return 'Geometry'
  }
}

const condition = (operator: Operator): Member => ({ name: operator, type: operandOf(operator), isOptional: true })

/** Whether the operators compare the field with values. */
const compares = (family: OperatorFamily): boolean =>
  operatorFamilies[family].some((operator) => operandOf(operator).includes('Value'))

const familyTypes = (Object.keys(families) as OperatorFamily[]).map((family) =>
  interfaceOf(`${families[family]}${compares(family) ? '<Value>' : ''}`, operatorFamilies[family].map(condition)),
)

const withValues = (type: FieldType, values: string): string => {
  const family = fieldTypes[type].operators
  return `${families[family]}${compares(family) ? `<${values}>` : ''}`
}

const compared = (type: FieldType): string => {
  const value = type === 'csv' ? 'string' : writeType({ type })
  return value === 'unknown' ? 'JsonScalar' : value
}

const filterOf = (type: FieldType): string => `export type ${filters[type]} = ${withValues(type, compared(type))}\n`

const hasOwnFilter = (type: FieldType, at: number, all: readonly FieldType[]): boolean =>
  type !== 'alias' && all.findIndex((other) => filters[other] === filters[type]) === at

const insideJson = (Object.keys(operators) as Operator[]).filter((operator) => operators[operator].insideJson)

/** Functions whose result can be filtered, by the type of their field. A list of rows can be counted. */
const functionsBy = (type: FieldType): readonly FieldFunction[] =>
  type === 'alias'
    ? ['count']
    : (Object.keys(fieldFunctions) as FieldFunction[]).filter(
        (name) => name !== 'json' && (fieldFunctions[name].types as readonly FieldType[]).includes(type),
      )

const callsName = (type: FieldType): string =>
  `${type === 'alias' ? 'List' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`}Functions`

const calledTypes = (Object.keys(fieldTypes) as FieldType[]).filter((type) => functionsBy(type).length > 0)

const callsOf = (type: FieldType): string =>
  `export type ${callsName(type)}<Field extends string> = Functions<${literals(functionsBy(type))}, Field>\n`

/** The types that all filters are made of. */
export const filterTypes: string = [
  ...familyTypes,
  (Object.keys(fieldTypes) as FieldType[]).filter(hasOwnFilter).map(filterOf).join(''),
  interfaceOf('PresenceFilter', (['_null', '_nnull'] as const).map(condition)),
  interfaceOf(
    'JsonValueConditions',
    insideJson.map((operator) => ({
      ...condition(operator),
      type: operandOf(operator).replaceAll('Value', 'JsonScalar'),
    })),
  ),
  `/** Conditions on the values at paths in a document: \`{ 'size.width': { _gt: 3 } }\` */
export interface JsonPaths {
  [path: string]: JsonValueConditions | readonly JsonPaths[] | JsonScalar | null
}
`,
  `export type Functions<Name extends string, Field extends string> = {
  [Call in \`\${Name}(\${Field})\`]?: IntegerFilter
}
`,
  calledTypes.map(callsOf).join(''),
  `export interface Conditions<Filter> {
  _and?: readonly Filter[]
  _or?: readonly Filter[]
  [follow: \`$FOLLOW(\${string})\`]: object
}
`,
  `/** Conditions on a list: some row meets them, or none does. */
export interface Quantified<Filter> {
  _some?: Filter
  _none?: Filter
}
`,
].join('\n')

/** The conditions on the value of a field. */
export const valueFilter = (field: Pick<FieldDescription, 'type' | 'values' | 'numbers'>): string =>
  field.values === undefined && field.numbers === undefined
    ? filters[field.type]
    : withValues(field.type, writeType(field))

/** The conditions on functions of fields, as bases of a filter. */
export function functionBases(fields: readonly FieldDescription[]): readonly string[] {
  return calledTypes.flatMap((type) => {
    const names = fields
      .filter((field) => (type === 'alias' ? field.relation?.kind === 'many' : field.type === type))
      .map(({ name }) => name)
    return names.length === 0 ? [] : [`${callsName(type)}<${literals(names)}>`]
  })
}

/** Names that mean something else in a filter. */
export const isFilterable = ({ name }: FieldDescription): boolean =>
  !/^(?:_and|_or|\$FOLLOW\(.*\)|[A-Za-z]+\(.*\))$/su.test(name)
