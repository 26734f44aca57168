import type { SnapshotSection, SnapshotSections } from '@tain/contract'
import { createHash } from 'node:crypto'
import { byText, canonicalJson } from '../../lib/canonical-json.ts'

export type Item = Readonly<Record<string, unknown>>

/** Identifying properties of the objects in each section. Sections listed first are changed first. */
export const sectionNames: Readonly<Record<SnapshotSection, readonly string[]>> = {
  collections: ['collection'],
  fields: ['collection', 'field'],
  systemFields: ['collection', 'field'],
  relations: ['collection', 'field', 'related_collection'],
  names: ['kind', 'collection', 'relation'],
  roles: ['id'],
  policies: ['id'],
  access: ['role', 'policy'],
  permissions: ['policy', 'collection', 'action'],
  settings: [],
}

export const allSections = Object.keys(sectionNames) as readonly SnapshotSection[]

/** Every snapshot contains the schema; permissions and settings are included on request. */
export const schemaSections: readonly SnapshotSection[] = [
  'collections',
  'fields',
  'systemFields',
  'relations',
  'names',
]

/** In these sections, objects that a file leaves out stay, even in mirror mode. */
export const onlyMerged: ReadonlySet<SnapshotSection> = new Set(['names'])

export const itemsOf = (sections: Partial<SnapshotSections>, section: SnapshotSection): readonly Item[] =>
  (sections[section] ?? []) as readonly unknown[] as readonly Item[]

export const nameIn = (section: SnapshotSection, item: Item): string =>
  JSON.stringify(sectionNames[section].map((name) => item[name] ?? null))

/** Sorted by name: the same order for every source. */
export const inOrder = <T extends object>(section: SnapshotSection, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [nameIn(section, item as Item), item] as const)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, item]) => item)

/** Differs only if the sections differ. */
export function hashOf(sections: Partial<SnapshotSections>): string {
  const held = allSections.flatMap((section) => (sections[section] === undefined ? [] : [[section, sections[section]]]))
  return createHash('sha256').update(canonicalJson(held)).digest('hex')
}
