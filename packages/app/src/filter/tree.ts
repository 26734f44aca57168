import { isFieldFunction, isOperator, type Operator } from '@tain/contract'
import { isNested, pathOf, pathParts } from '../model/path.ts'

/** One comparison. The path follows relations with dots: `customer.region.name`, `count(reviews)`. */
export interface Condition {
  readonly kind: 'condition'
  readonly path: string
  readonly operator: Operator
  readonly value: unknown
}

export const joins = ['and', 'or', 'none'] as const
/** How a group joins its parts: all of them hold, any of them, or none of them. */
export type Join = (typeof joins)[number]

export interface Group {
  readonly kind: 'group'
  readonly join: Join
  readonly nodes: readonly Node[]
}

/** A part that the builder does not draw. It is kept as it was written. */
export interface Raw {
  readonly kind: 'raw'
  readonly filter: unknown
}

export type Node = Condition | Group | Raw

export type Filter = Readonly<Record<string, unknown>>

export const emptyGroup: Group = { kind: 'group', join: 'and', nodes: [] }

export const condition = (path: string, operator: Operator, value: unknown): Condition => ({
  kind: 'condition',
  path,
  operator,
  value,
})

/** The filter of the API as a tree. The outermost node is always a group. */
export function parseFilter(filter: unknown): Group {
  const node = parseNode(filter)
  if (node === null) return emptyGroup
  return node.kind === 'group' ? node : { kind: 'group', join: 'and', nodes: [node] }
}

function parseNode(filter: unknown): Node | null {
  if (filter === null || filter === undefined) return null
  if (!isObject(filter)) return { kind: 'raw', filter }
  const entries = Object.entries(filter)
  if (entries.length === 0) return null
  const nodes = entries.flatMap(([name, value]) => parseEntry(name, value))
  const [only] = nodes
  return nodes.length === 1 && only !== undefined ? only : { kind: 'group', join: 'and', nodes }
}

function parseEntry(name: string, value: unknown): readonly Node[] {
  if (name === '_and' || name === '_or') {
    // An alternative without branches matches no row, and one without a condition every row.
    const isKept = !Array.isArray(value) || (name === '_or' && (value.length === 0 || value.some(isUnconditional)))
    if (isKept) return [{ kind: 'raw', filter: { [name]: value } }]
    const nodes = value.flatMap((each) => parseNode(each) ?? [])
    return [{ kind: 'group', join: name === '_and' ? 'and' : 'or', nodes }]
  }
  return parseField([name], value)
}

const isUnconditional = (filter: unknown): boolean =>
  isObject(filter) &&
  Object.entries(filter).every(
    ([name, parts]) =>
      Array.isArray(parts) &&
      ((name === '_and' && parts.every(isUnconditional)) || (name === '_or' && parts.some(isUnconditional))),
  )

/**
 * Follows a chain of relations down to its operators. Several conditions below a relation hold for the same related
 * row, which separate conditions would not say: such a part stays raw.
 */
function parseField(path: readonly string[], value: unknown): readonly Node[] {
  const raw: Raw = { kind: 'raw', filter: nested(path, value) }
  if (!isObject(value)) return [raw]
  const entries = Object.entries(value)
  if (entries.length === 0) return [raw]
  if (entries.every(([name]) => isOperator(name)))
    return entries.length > 1 && path.length > 1
      ? [raw]
      : entries.map(([name, operand]) => condition(writtenPath(path), name as Operator, operand))
  const [first] = entries
  if (first === undefined || entries.length > 1 || first[0].startsWith('_')) return [raw]
  return parseField([...path, first[0]], first[1])
}

/** Keys of a filter as a path: a function stays one. */
const writtenPath = (keys: readonly string[]): string =>
  keys.map((key) => (isFieldFunction(/^(\w+)\(.*\)$/su.exec(key)?.[1] ?? '') ? key : pathOf(key))).join('.')

/** The filter that a tree stands for; null: every row. Conditions without a value yet are left out. */
export function toFilter(node: Node): Filter | null {
  if (node.kind === 'raw') return isObject(node.filter) ? node.filter : null
  if (node.kind === 'condition')
    return isComplete(node) ? nested(pathParts(node.path), { [node.operator]: node.value }) : null
  if (node.join === 'none') {
    const opposite = negated({ ...node, join: 'or' })
    return opposite === null ? null : toFilter(opposite)
  }
  const parts = node.nodes.map(toFilter).filter(isObject)
  const [only] = parts
  if (only === undefined) return null
  return parts.length === 1 ? only : { [node.join === 'and' ? '_and' : '_or']: parts }
}

/** Whether a condition says enough to be sent. */
export function isComplete({ path, value }: Condition): boolean {
  if (path === '' || value === undefined || value === '') return false
  return !Array.isArray(value) || (value.length > 0 && value.every((each) => each !== '' && each !== undefined))
}

const opposites: Readonly<Record<Operator, Operator | null>> = {
  _eq: '_neq',
  _neq: '_eq',
  _lt: '_gte',
  _lte: '_gt',
  _gt: '_lte',
  _gte: '_lt',
  _in: '_nin',
  _nin: '_in',
  _between: '_nbetween',
  _nbetween: '_between',
  _null: '_nnull',
  _nnull: '_null',
  _empty: '_nempty',
  _nempty: '_empty',
  _contains: '_ncontains',
  _ncontains: '_contains',
  _icontains: null,
  _starts_with: '_nstarts_with',
  _nstarts_with: '_starts_with',
  _istarts_with: '_nistarts_with',
  _nistarts_with: '_istarts_with',
  _ends_with: '_nends_with',
  _nends_with: '_ends_with',
  _iends_with: '_niends_with',
  _niends_with: '_iends_with',
  _json: null,
  _intersects: '_nintersects',
  _nintersects: '_intersects',
  _intersects_bbox: '_nintersects_bbox',
  _nintersects_bbox: '_intersects_bbox',
}

/**
 * The opposite of a part, which the API spells with opposite operators. Null when there is none: a related list, a part
 * kept raw, or an operator without a counterpart.
 */
export function negated(node: Node): Node | null {
  if (node.kind === 'raw') return null
  if (node.kind === 'condition') {
    const operator = opposites[node.operator]
    return operator === null || isNested(node.path) ? null : { ...node, operator }
  }
  if (node.join === 'none') return { ...node, join: 'or' }
  const nodes: Node[] = []
  for (const each of node.nodes) {
    const opposite = negated(each)
    if (opposite === null) return null
    nodes.push(opposite)
  }
  return { kind: 'group', join: node.join === 'and' ? 'or' : 'and', nodes }
}

/** How many conditions there are, at any depth. */
export const countConditions = (node: Node): number =>
  node.kind === 'group' ? node.nodes.reduce((sum, each) => sum + countConditions(each), 0) : 1

/** Puts a condition beside what a tree already demands. */
export const withCondition = (tree: Group, added: Node): Group =>
  tree.join === 'and' ? { ...tree, nodes: [...tree.nodes, added] } : { ...emptyGroup, nodes: [tree, added] }

/** Both filters at once. */
export function bothFilters(a: Filter | null, b: Filter | null): Filter | null {
  if (a === null || b === null) return a ?? b
  return { _and: [a, b] }
}

const nested = (path: readonly string[], value: unknown): Filter =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Filter

export const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
