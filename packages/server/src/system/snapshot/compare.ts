import type { ObjectDiff, SnapshotDiff, SnapshotEdit, SnapshotSection, SnapshotSections } from '@tain/contract'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isBody } from '../metadata.ts'
import { allSections, itemsOf, nameIn, onlyMerged, sectionNames, type Item } from './sections.ts'

export type Mode = 'merge' | 'mirror'

/** Parts of an object that are compared member by member; everything else is compared as one value. */
const parts: ReadonlySet<string> = new Set(['schema', 'meta'])

const isSame = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)

function editOf(path: readonly string[], lhs: unknown, rhs: unknown): SnapshotEdit[] {
  if (isSame(lhs, rhs)) return []
  if (lhs === undefined) return [{ kind: 'N', path, rhs }]
  if (rhs === undefined) return [{ kind: 'D', path, lhs }]
  return [{ kind: 'E', path, lhs, rhs }]
}

const namesOf = (a: Item, b: Item) => [...new Set([...Object.keys(a), ...Object.keys(b)])]

/** The type of a column follows from the column and its metadata, so it is not compared itself. */
export function editsBetween(current: Item, wanted: Item): SnapshotEdit[] {
  return namesOf(current, wanted).flatMap((name) => {
    const [from, to] = [current[name], wanted[name]]
    if (name === 'type' && from !== 'alias' && to !== 'alias') return []
    if (!parts.has(name) || !isBody(from) || !isBody(to)) return editOf([name], from, to)
    return namesOf(from, to).flatMap((member) => editOf([name, member], from[member], to[member]))
  })
}

function named(section: SnapshotSection, item: Item, diff: readonly SnapshotEdit[]): ObjectDiff {
  const names = sectionNames[section].map((name) => [name, item[name] ?? null] as const)
  return { ...Object.fromEntries(names), diff }
}

/** In a merge, parts that the file leaves out stay unchanged. */
function merged(current: Item, wanted: Item): Item {
  const kept = [...parts].filter((part) => wanted[part] === null && (current[part] ?? null) !== null)
  return { ...wanted, ...Object.fromEntries(kept.map((part) => [part, current[part]])) }
}

function compareSection(
  section: SnapshotSection,
  current: readonly Item[],
  wanted: readonly Item[],
  mode: Mode,
): ObjectDiff[] {
  const before = new Map(current.map((item) => [nameIn(section, item), item]))
  const after = new Map(wanted.map((item) => [nameIn(section, item), item]))
  const changed = [...after].flatMap(([name, item]) => {
    const known = before.get(name)
    if (known === undefined) return [named(section, item, [{ kind: 'N', rhs: item }])]
    const edits = editsBetween(known, mode === 'merge' ? merged(known, item) : item)
    return edits.length === 0 ? [] : [named(section, item, edits)]
  })
  if (mode === 'merge' || onlyMerged.has(section)) return changed
  const gone = [...before].filter(([name]) => !after.has(name))
  return [...changed, ...gone.map(([, item]) => named(section, item, [{ kind: 'D', lhs: item }]))]
}

/** The changes that turn `current` into `wanted`, limited to sections that both have. */
export const compare = (current: SnapshotSections, wanted: SnapshotSections, mode: Mode): SnapshotDiff =>
  Object.fromEntries(
    allSections
      .filter((section) => current[section] !== undefined && wanted[section] !== undefined)
      .map((section) => [section, compareSection(section, itemsOf(current, section), itemsOf(wanted, section), mode)]),
  )

export const isEmpty = (diff: SnapshotDiff): boolean => Object.values(diff).every((objects) => objects.length === 0)
