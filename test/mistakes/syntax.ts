// Sources as trees, and the nodes in them that a mistake can be made at.
import { parseAst } from 'rolldown/parseAst'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [property: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Types are not there when the program runs. What only says a type about a value stands around that value. */
const aroundValues = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const isType = ({ type }: Node): boolean => type.startsWith('TS') && !aroundValues.has(type)

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]) as unknown[])
    .filter(isNode)

/** All nodes of a source that run, from the outside inwards. */
export function nodesOf(source: string, isJsx: boolean): readonly Node[] {
  const program: unknown = parseAst(source, { lang: isJsx ? 'tsx' : 'ts' })
  if (!isNode(program)) throw new TypeError('a source has no tree')
  const nodes: Node[] = []
  const waiting: Node[] = [program]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isType(node) || node.type === 'ImportDeclaration') continue
    nodes.push(node)
    waiting.push(...childrenOf(node).toReversed())
  }
  return nodes
}

/** The node at a property. */
export function nodeAt(node: Node, property: string): Node | null {
  const value = node[property]
  return isNode(value) ? value : null
}

/** The nodes of a list at a property. */
export function nodesAt(node: Node, property: string): readonly Node[] {
  const value = node[property]
  return Array.isArray(value) ? value.filter(isNode) : []
}
