import { invalidQuery } from '@tain/contract'

export interface QueryStringLimits {
  readonly parameters: number
  readonly depth: number
}

type Node = Record<string, unknown> | unknown[]

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidQuery('The address has a broken percent-encoding')
  }
}

/**
 * `filter[a][_eq]=1&fields[]=x` → the equivalent JSON body. Objects have no prototype, `[]` appends to a list, and
 * input beyond a limit is refused, never dropped.
 */
export function parseQueryString(text: string, limits: QueryStringLimits): Record<string, unknown> {
  const root = Object.create(null) as Record<string, unknown>
  if (text === '') return root
  const pairs = text.split('&')
  if (pairs.length > limits.parameters)
    throw invalidQuery(`The address has more than ${limits.parameters} parameters; use SEARCH`)
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const value = at === -1 ? '' : decode(pair.slice(at + 1))
    put(root, steps(decode(at === -1 ? pair : pair.slice(0, at)), limits.depth), value)
  }
  return root
}

/** `a[b][]` → a, b and the empty step that appends. Any other text is a single name. */
function steps(key: string, maxDepth: number): string[] {
  const open = key.indexOf('[')
  if (open <= 0 || !key.endsWith(']')) return [key]
  const found = [key.slice(0, open), ...key.slice(open + 1, -1).split('][')]
  if (found.length > maxDepth)
    throw invalidQuery(`The address nests deeper than ${maxDepth} levels; use SEARCH or JSON`)
  return found
}

function put(root: Record<string, unknown>, path: readonly string[], value: string): void {
  let node: Node = root
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1
    const existing: unknown = Array.isArray(node) ? undefined : node[step]
    if (isLast) return assign(node, step, existing, value, path)
    if (typeof existing === 'object' && existing !== null) node = existing as Node
    else if (existing !== undefined) throw twice(path)
    else node = extend(node, step, path[index + 1] === '' ? [] : (Object.create(null) as Record<string, unknown>))
  }
}

function extend<T extends Node>(node: Node, step: string, child: T): T {
  if (Array.isArray(node)) node.push(child)
  else node[step] = child
  return child
}

const twice = (path: readonly string[]) => invalidQuery(`"${path.join('.')}" is given in two ways`)

function assign(node: Node, step: string, existing: unknown, value: string, path: readonly string[]): void {
  if (Array.isArray(node)) {
    if (step !== '') throw twice(path)
    node.push(value)
  } else if (existing === undefined) node[step] = value
  else if (typeof existing === 'string') node[step] = [existing, value]
  else if (Array.isArray(existing)) existing.push(value)
  else throw twice(path)
}
