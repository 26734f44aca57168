import { invalidQuery, splitWritten, type FieldFunction } from '@tain/contract'
import { withoutLimit, type Spend } from './cost.ts'
import type { Deep, DeepNode, Selection } from './query.ts'
import { parseJsonPath, parsePath, trimmed, type WrittenSegment } from './segments.ts'
import type { Values } from './values.ts'
import { asList, asText } from './wire.ts'

interface Context {
  readonly values: Values
  readonly maxDepth: number
  readonly jsonDepth: number
}

/** Aliases and nested queries of one level. */
interface Level {
  readonly alias: Readonly<Record<string, string>>
  readonly deep: Deep
}

/** A node in the tree of paths; paths with the same first steps share their nodes. */
interface Branch {
  readonly segment: WrittenSegment
  readonly children: Map<string, Branch>
}

/** Entries of a list parameter: a comma-separated list, an array, or an array of comma-separated lists. */
export function splitList(wire: unknown, what: string, spend: Spend = withoutLimit): string[] {
  const given = asList(wire)
  spend('entries', given.length)
  return given.flatMap((entry) => {
    const texts = splitWritten(asText(entry, what), ',')
    spend('entries', texts.length - 1)
    return texts.map(trimmed).filter((text) => text !== '')
  })
}

export function parseFields(wire: unknown, level: Level, context: Context): Selection[] {
  const texts = wire === undefined ? [] : splitList(wire, 'fields', context.values.spend)
  const roots = new Map<string, Branch>()
  for (const text of texts.length === 0 ? ['*'] : texts) grow(roots, insideOut(parsePath(text), text, context))
  return selectionsOf(roots, level, context)
}

/** `year(author.born)` is equivalent to `author.year(born)`. */
function insideOut(path: readonly WrittenSegment[], text: string, context: Context): WrittenSegment[] {
  const last = path.at(-1)
  if (path.slice(0, -1).some((segment) => segment.call !== null))
    throw invalidQuery(`"${text}" goes on after a function`)
  const steps =
    last?.call && last.call.path.length > 1
      ? [
          ...path.slice(0, -1),
          ...last.call.path.slice(0, -1),
          { ...last, call: { ...last.call, path: last.call.path.slice(-1) } },
        ]
      : [...path]
  if (steps.length > context.maxDepth) throw invalidQuery('Max relational depth exceeded')
  return steps
}

function keyOf({ isAll, name, scope, call }: WrittenSegment): string {
  return call === null ? JSON.stringify([isAll, name, scope]) : JSON.stringify(call)
}

function grow(level: Map<string, Branch>, path: readonly WrittenSegment[]): void {
  const [segment, ...rest] = path
  if (segment === undefined) return
  const key = keyOf(segment)
  const branch = level.get(key) ?? { segment, children: new Map<string, Branch>() }
  level.set(key, branch)
  grow(branch.children, rest)
}

function selectionsOf(level: ReadonlyMap<string, Branch>, names: Level, context: Context): Selection[] {
  return [...level.values()].map((branch) => selectionOf(branch, names, context))
}

function selectionOf({ segment, children }: Branch, names: Level, context: Context): Selection {
  if (segment.call !== null) return functionOf(segment.call.fn, segment.call, null, context)
  const { name: written, scope } = segment
  if (segment.isAll) {
    const below = children.size === 0 ? null : selectionsOf(children, noNames, context)
    const aliased = Object.keys(names.alias).map((name) => selectionOf(leaf(name), names, context))
    return { kind: 'all', children: below, deep: names.deep, aliased }
  }
  const aliased = Object.hasOwn(names.alias, written) ? names.alias[written] : undefined
  const call = aliased === undefined ? undefined : parsePath(aliased)
  const [target] = call ?? []
  if (target?.call) return functionOf(target.call.fn, target.call, written, context)
  const name = target === undefined ? written : target.name
  const own =
    deepOf(names.deep, scope === null ? written : `${written}:${scope}`) ??
    (scope === null ? undefined : deepOf(names.deep, written))
  const query = own?.query ?? null
  if (children.size === 0 && scope === null) return { kind: 'field', name, as: written, query }
  const inner = own === undefined ? noNames : { alias: own.alias, deep: own.deep }
  // A scope without a path selects all fields of that collection.
  const below = children.size === 0 ? new Map<string, Branch>([['*', star]]) : children
  return { kind: 'nested', name, scope, as: written, query, children: selectionsOf(below, inner, context) }
}

const leaf = (name: string, isAll = false): Branch => ({
  segment: { isAll, name, scope: null, call: null },
  children: new Map(),
})
const star = leaf('*', true)
const noNames: Level = { alias: {}, deep: {} }

const deepOf = (deep: Deep, key: string): DeepNode | undefined => (Object.hasOwn(deep, key) ? deep[key] : undefined)

function functionOf(
  fn: FieldFunction,
  call: { path: readonly WrittenSegment[]; argument: string | null },
  as: string | null,
  { values, jsonDepth }: Context,
): Selection {
  const [field] = call.path
  if (field === undefined || call.path.length > 1) throw invalidQuery('An alias cannot follow a relation')
  if (fn !== 'json') return { kind: 'function', fn, name: field.name, path: null, as: as ?? `${field.name}_${fn}` }
  const path = values.add(parseJsonPath(call.argument ?? '', jsonDepth))
  const argument = (call.argument ?? '').replace(/[.[\], ]+/gu, '_').replace(/^_+|_+$/gu, '')
  return { kind: 'function', fn, name: field.name, path, as: as ?? `${field.name}_${argument}_json` }
}
