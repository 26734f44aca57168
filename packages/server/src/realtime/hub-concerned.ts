import { spelledValue, type FixedValue } from '../engine/fixed-values.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { parseExactJson } from '../lib/exact-json.ts'
import type { Group } from './hub-model.ts'

/** Finds the groups that a change can concern. What it leaves out cannot be told of the change; SQL decides the rest. */
export interface Concerned {
  readonly add: (group: Group) => void
  readonly remove: (group: Group) => void
  readonly concerned: (change: LoggedChange) => Iterable<Group>
  readonly of: (collection: string) => Iterable<Group>
}

/** The groups of a collection: by the item, by a value that all their rows have, or neither. */
interface Shelf {
  readonly all: Set<Group>
  readonly plain: Set<Group>
  readonly byItem: Map<string, Set<Group>>
  /** Field → value → groups. */
  readonly byValue: Map<string, Map<string, Set<Group>>>
}

export function createConcerned(): Concerned {
  const shelves = new Map<string, Shelf>()
  return {
    add(group) {
      const shelf = shelves.get(group.collection) ?? createShelf()
      shelves.set(group.collection, shelf)
      shelf.all.add(group)
      for (const [index, key] of placesOf(group, shelf)) addTo(index, key, group)
    },
    remove(group) {
      const shelf = shelves.get(group.collection)
      if (shelf === undefined) return
      shelf.all.delete(group)
      for (const [index, key] of placesOf(group, shelf)) removeFrom(index, key, group)
      if (shelf.all.size === 0) shelves.delete(group.collection)
    },
    concerned(change) {
      const shelf = shelves.get(change.collection)
      return shelf === undefined ? [] : found(shelf, change)
    },
    of: (collection) => shelves.get(collection)?.all ?? [],
  }
}

const createShelf = (): Shelf => ({ all: new Set(), plain: new Set(), byItem: new Map(), byValue: new Map() })

type Index = Map<string, Set<Group>> | Set<Group>

/** Where a group stands: the same places when it comes and when it goes. */
function placesOf(
  { item, fixedValue }: Group,
  { plain, byItem, byValue }: Shelf,
): readonly (readonly [Index, string])[] {
  if (item !== null) return [[byItem, item]]
  if (fixedValue === null) return [[plain, '']]
  const values = byValue.get(fixedValue.field) ?? new Map<string, Set<Group>>()
  byValue.set(fixedValue.field, values)
  return [...fixedValue.values].map((value) => [values, value])
}

function addTo(index: Index, key: string, group: Group): void {
  if (index instanceof Set) index.add(group)
  else index.set(key, (index.get(key) ?? new Set()).add(group))
}

function removeFrom(index: Index, key: string, group: Group): void {
  if (index instanceof Set) {
    index.delete(group)
    return
  }
  const same = index.get(key)
  same?.delete(group)
  if (same?.size === 0) index.delete(key)
}

/**
 * A value may leave groups out only if it is known of the row before and after the change: who was shown the row hears of
 * its end.
 */
function found({ plain, byItem, byValue }: Shelf, change: LoggedChange): ReadonlySet<Group> {
  const groups = new Set(plain)
  for (const group of byItem.get(change.key) ?? []) groups.add(group)
  if (byValue.size === 0) return groups
  const images = imagesOf(change)
  for (const [field, values] of byValue) {
    const keys = images === null ? null : valuesIn(images, field, values)
    const concerned = keys === null ? values.values() : keys.map((key) => values.get(key) ?? [])
    for (const some of concerned) for (const group of some) groups.add(group)
  }
  return groups
}

type Image = Readonly<Record<string, unknown>>

/** The rows before and after, as far as there are any; null: one of them is unknown. */
function imagesOf({ kind, before, after }: LoggedChange): readonly Image[] | null {
  if ((kind !== 'create' && before === null) || (kind !== 'delete' && after === null)) return null
  return [kind === 'create' ? null : before, kind === 'delete' ? null : after].flatMap((image) =>
    image === null ? [] : [parseExactJson(image) as Image],
  )
}

/** The spellings of a field in images; null: an image does not tell it. */
function valuesIn(images: readonly Image[], field: string, values: ReadonlyMap<string, Set<Group>>): string[] | null {
  const [some] = values.values().next().value ?? []
  const type = some?.view.collection.columns.get(field)?.type
  if (type === undefined) return null
  const spellings: string[] = []
  for (const image of images) {
    if (!Object.hasOwn(image, field)) return null
    const value = image[field]
    // A row without a value equals none.
    if (value === null) continue
    const spelled = spelledValue(type, value)
    if (spelled === null) return null
    spellings.push(spelled)
  }
  return spellings
}

const MOST_VALUES = 100

/** The condition by which a group is found: the one with the fewest values. */
export function indexedValue(fixedValues: readonly FixedValue[]): FixedValue | null {
  const [best] = fixedValues.toSorted((a, b) => a.values.size - b.values.size)
  return best === undefined || best.values.size > MOST_VALUES ? null : best
}
