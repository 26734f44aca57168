import { fieldTypes, operatorFamilies, operators, type Operator, type OperandShape } from '@tain/contract'
import { fieldLabel, titleOf, type Field } from '../model/field.ts'
import { choicesOf, kindOf, type Kind } from '../model/kind.ts'
import { countConditions, type Condition, type Group, type Join, type Node } from './tree.ts'
import { isNested, lastName, pathParts } from '../model/path.ts'

/** Operators in words, in the order in which they are offered. */
const operatorTexts: Readonly<Record<Operator, string>> = {
  _eq: 'is',
  _neq: 'is not',
  _icontains: 'contains',
  _istarts_with: 'starts with',
  _iends_with: 'ends with',
  _in: 'is one of',
  _nin: 'is none of',
  _gt: 'is more than',
  _gte: 'is at least',
  _lt: 'is less than',
  _lte: 'is at most',
  _between: 'is between',
  _nbetween: 'is not between',
  _null: 'has no value',
  _nnull: 'has a value',
  _empty: 'is empty',
  _nempty: 'is not empty',
  _nistarts_with: 'does not start with',
  _niends_with: 'does not end with',
  _contains: 'contains (same case)',
  _ncontains: 'does not contain (same case)',
  _starts_with: 'starts with (same case)',
  _nstarts_with: 'does not start with (same case)',
  _ends_with: 'ends with (same case)',
  _nends_with: 'does not end with (same case)',
  _json: 'matches inside',
  _intersects: 'touches',
  _nintersects: 'does not touch',
  _intersects_bbox: 'touches the box of',
  _nintersects_bbox: 'does not touch the box of',
}

const timeTexts: Readonly<Partial<Record<Operator, string>>> = {
  _gt: 'is after',
  _gte: 'is on or after',
  _lt: 'is before',
  _lte: 'is on or before',
}

const timeKinds: ReadonlySet<Kind> = new Set(['date', 'moment', 'time'])

export const operatorWords = (operator: Operator, kind: Kind = 'text'): string =>
  (timeKinds.has(kind) ? timeTexts[operator] : undefined) ?? operatorTexts[operator]

const offered = Object.keys(operatorTexts) as readonly Operator[]

/** The operators that a field supports, the usual ones first. */
export function operatorsOf(field: Field): readonly Operator[] {
  const kind = kindOf(field)
  if (kind === 'rows') return ['_null', '_nnull']
  const family: readonly Operator[] =
    operatorFamilies[kind === 'secret' ? 'concealed' : fieldTypes[field.type].operators]
  const isOrdered = family.includes('_between')
  return offered.filter(
    (each) =>
      family.includes(each) && !(isOrdered && (operators[each].tests === 'text' || operators[each].tests === 'empty')),
  )
}

/** The operator that a new condition on a field begins with. */
export function firstOperator(field: Field): Operator {
  const kind = kindOf(field)
  if (kind === 'moment' || kind === 'date') return '_gte'
  if (kind === 'text' && operatorsOf(field).includes('_icontains')) return '_icontains'
  return operatorsOf(field)[0] ?? '_nnull'
}

export const operandOf = (operator: Operator): OperandShape => operators[operator].operand

/** The value of a condition after another operator was chosen: kept where it still fits. */
export function valueFor(operator: Operator, value: unknown): unknown {
  const one = Array.isArray(value) ? (value[0] as unknown) : value
  const plain = typeof one === 'boolean' && operandOf(operator) !== 'flag' ? '' : (one ?? '')
  const byShape: Readonly<Record<OperandShape, () => unknown>> = {
    value: () => plain,
    list: () => (Array.isArray(value) ? value : plain === '' ? [] : [plain]),
    pair: () => (Array.isArray(value) && value.length === 2 ? value : [plain, '']),
    flag: () => true,
    json: () => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}),
    geometry: () => plain,
  }
  return byShape[operandOf(operator)]()
}

export interface ValueChoice {
  readonly value: string
  readonly text: string
}

/** Times that move along with the clock. */
export const timeChoices: readonly ValueChoice[] = [
  '$NOW',
  '$NOW(-1 hour)',
  '$NOW(-1 day)',
  '$NOW(-7 days)',
  '$NOW(-30 days)',
  '$NOW(-1 year)',
  '$NOW(+1 day)',
  '$NOW(+7 days)',
  '$NOW(+30 days)',
].map((value) => ({ value, text: variableWords(value) ?? value }))

export const currentUser: ValueChoice = { value: '$CURRENT_USER', text: 'me' }

/** The variables that a field may be compared with. */
export function variableChoices(field: Field): readonly ValueChoice[] {
  const kind = kindOf(field)
  if (kind === 'moment' || kind === 'date') return timeChoices
  return field.schema?.foreign_key_table === 'service_users' || field.type === 'uuid' ? [currentUser] : []
}

/** A variable of the API in words; null: the value is none. */
export function variableWords(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('$')) return null
  if (value === '$NOW') return 'now'
  if (value === '$CURRENT_USER') return 'me'
  if (value === '$CURRENT_ROLE') return 'my role'
  const found = /^\$NOW\(\s*([+-]?)\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*\)$/iu.exec(value)
  if (found === null) return null
  const [, sign, amount = '', unit = ''] = found
  const distance = `${amount} ${unit === '' ? (amount === '1' ? 'day' : 'days') : unit}`
  return sign === '-' ? `${distance} ago` : `in ${distance}`
}

/** What is known about the field of a condition. `label` includes the relations before it. */
export interface NamedField {
  readonly field: Field | null
  readonly label: string
}

export type FindField = (path: string) => NamedField

/** Finds the fields of one collection; anything further away is named by its path. */
export const fieldsByName = (fields: readonly Field[], language: string): FindField => {
  const byName = new Map(fields.map((field) => [field.field, field]))
  return (path) => {
    const field = isNested(path) ? null : (byName.get(lastName(path)) ?? null)
    return { field, label: field === null ? pathLabel(path, byName, language) : fieldLabel(field, language) }
  }
}

const functionTexts: Readonly<Record<string, string>> = { count: 'Number of' }

function pathLabel(path: string, byName: ReadonlyMap<string, Field>, language: string): string {
  return pathParts(path)
    .map((part, index) => {
      const call = /^(\w+)\((.*)\)$/u.exec(part)
      if (call !== null)
        return `${functionTexts[call[1] ?? ''] ?? titleOf(call[1] ?? '')} ${titleOf(call[2] ?? '').toLowerCase()}`
      const field = index === 0 ? byName.get(part) : undefined
      return field === undefined ? titleOf(part) : fieldLabel(field, language)
    })
    .join(' · ')
}

/** A value as people read it. */
export function valueWords(value: unknown, field: Field | null): string {
  const variable = variableWords(value)
  if (variable !== null) return variable
  if (value === null || value === undefined) return 'NULL'
  if (value === '') return '""'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
  return (field === null ? null : choicesOf(field))?.find((each) => each.value === text)?.text ?? text
}

export interface ConditionWords {
  readonly field: string
  readonly operator: string
  /** Null: the operator needs none. */
  readonly value: string | null
  /** The value is one of a few, and is shown as a chip. */
  readonly isChoice: boolean
}

/** A condition in words: `Status` · `is` · `shipped`. */
export function conditionWords({ path, operator, value }: Condition, find: FindField): ConditionWords {
  const { field, label } = find(path)
  const kind = field === null ? 'text' : kindOf(field)
  const isOff = operandOf(operator) === 'flag' && value === false
  const row = operators[operator]
  const shown = isOff && row.operand === 'flag' ? row.opposite : operator
  return {
    field: label,
    operator: operatorWords(shown, kind),
    value: operandWords(operandOf(operator), value, field),
    isChoice: kind === 'choice' && operandOf(operator) === 'value' && variableWords(value) === null,
  }
}

function operandWords(shape: OperandShape, value: unknown, field: Field | null): string | null {
  if (shape === 'flag') return null
  const all = Array.isArray(value) ? value.map((each) => valueWords(each, field)) : [valueWords(value, field)]
  if (shape === 'pair') return all.join(' and ')
  return all.length > 3 ? `${all.slice(0, 2).join(', ')} and ${all.length - 2} more` : all.join(', ')
}

export const joinWords: Readonly<Record<Join, string>> = { and: 'and', or: 'or', none: 'nor' }

/** A whole tree as one sentence. */
export function sentence(node: Node, find: FindField): string {
  if (node.kind === 'raw') return 'a condition in JSON'
  if (node.kind === 'condition') {
    const { field, operator, value } = conditionWords(node, find)
    return [field, operator, ...(value === null ? [] : [value])].join(' ')
  }
  return groupSentence(node, find)
}

function groupSentence({ join, nodes }: Group, find: FindField): string {
  const parts = nodes.map((each) =>
    each.kind === 'group' && countConditions(each) > 1 ? `(${sentence(each, find)})` : sentence(each, find),
  )
  return `${join === 'none' ? 'neither ' : ''}${parts.join(` ${joinWords[join]} `)}`
}
