// What can go wrong in a line: each kind turns a node into the text of a mistake.
import { nodeAt, nodesAt, type Node } from './syntax.ts'

/** A part of a source and what stands there instead. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

type Kind = (node: Node, source: string) => readonly Replacement[]

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '+',
}

const comparing = new Set(['===', '!==', '<', '<=', '>', '>=', '&&', '||', 'in', 'instanceof'])

const textOf = ({ start, end }: Node, source: string): string => source.slice(start, end)

function operator(node: Node, source: string): readonly Replacement[] {
  if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return []
  const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')]
  const was = String(node['operator'])
  const instead = operators[was]
  if (left === null || right === null || instead === undefined) return []
  const between = source.slice(left.end, right.start)
  const at = left.end + between.indexOf(was)
  // A mixture of `??` with others needs parentheses: it would not be a program.
  return at < left.end || was === '??' ? [] : [{ start: at, end: at + was.length, text: instead }]
}

function condition(node: Node, source: string): readonly Replacement[] {
  if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return []
  const test = nodeAt(node, 'test')
  return test === null ? [] : [{ start: test.start, end: test.end, text: `!(${textOf(test, source)})` }]
}

/** A constant of the sort that the expression has, as far as its form tells. */
function constantFor(node: Node): string | null {
  const is = (...types: readonly string[]) => types.includes(node.type)
  if (is('BinaryExpression', 'LogicalExpression')) return comparing.has(String(node['operator'])) ? 'true' : null
  if (is('UnaryExpression')) return node['operator'] === '!' ? 'false' : null
  if (is('ArrayExpression')) return nodesAt(node, 'elements').length === 0 ? null : '[]'
  if (is('TemplateLiteral')) return "''"
  return is('CallExpression', 'MemberExpression', 'ConditionalExpression', 'AwaitExpression') ? 'undefined' : null
}

function returnedConstant(node: Node): readonly Replacement[] {
  const isArrow = node.type === 'ArrowFunctionExpression' && node['expression'] === true
  const value = nodeAt(node, isArrow ? 'body' : 'argument')
  if (value === null || (!isArrow && node.type !== 'ReturnStatement')) return []
  const text = constantFor(value)
  return text === null ? [] : [{ start: value.start, end: value.end, text }]
}

const deletable = new Set(['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression'])

function deletedStatement(node: Node): readonly Replacement[] {
  const expression = node.type === 'ExpressionStatement' ? nodeAt(node, 'expression') : null
  return expression !== null && deletable.has(expression.type) ? [{ start: node.start, end: node.end, text: ';' }] : []
}

function swappedArguments(node: Node, source: string): readonly Replacement[] {
  if (node.type !== 'CallExpression') return []
  const given = nodesAt(node, 'arguments')
  return given.flatMap((left, at) => {
    const right = given[at + 1]
    if (right === undefined || left.type === 'SpreadElement' || right.type === 'SpreadElement') return []
    if (textOf(left, source) === textOf(right, source)) return []
    const between = source.slice(left.end, right.start)
    return [{ start: left.start, end: right.end, text: `${textOf(right, source)}${between}${textOf(left, source)}` }]
  })
}

function literal(node: Node): readonly Replacement[] {
  const { type, start, end, value } = node
  if (type !== 'Literal') return []
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }]
  return typeof value === 'number' ? [{ start, end, text: String(value + 1) }] : []
}

export const kinds = {
  operator,
  condition,
  'returned constant': returnedConstant,
  'deleted statement': deletedStatement,
  'swapped arguments': swappedArguments,
  literal,
} as const satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof kinds
