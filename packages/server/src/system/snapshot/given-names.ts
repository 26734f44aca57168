import { invalidPayload, type SnapshotName, type SnapshotSections } from '@tain/contract'
import type { MetadataChange, StoredValue } from '../../schema/change.ts'
import { afterStoring, isPresent, nameKey as keyOf, type StoredName } from '../../schema/names.ts'
import type { Schema } from '../../schema/schema.ts'
import { checkText } from '../default-value.ts'
import { isBody, named, refuseUnknown } from '../metadata.ts'
import type { Raw } from './patch.ts'
import { inOrder, type Item } from './sections.ts'

export const shownName = ({ kind, collection, subject, name, instead }: StoredName): SnapshotName => ({
  kind,
  collection,
  relation: subject,
  name,
  instead,
})

/** Names of existing objects; names reserved for absent ones belong to this database alone. */
export const describeNames = (schema: Schema): readonly SnapshotName[] =>
  inOrder(
    'names',
    afterStoring(schema.names)
      .remembered.filter((name) => isPresent(name, schema))
      .map(shownName),
  )

function textIn(item: Item, key: string): string {
  const { [key]: value } = item
  if (typeof value !== 'string') throw invalidPayload(`"${key}" of a name has to be text`)
  checkText(value, key)
  return value
}

function readName(item: Item): SnapshotName {
  refuseUnknown(item, ['kind', 'collection', 'relation', 'name', 'instead'], 'a name')
  const { kind, instead = null } = item
  if (kind !== 'field' && kind !== 'type') throw invalidPayload('"kind" of a name has to be "field" or "type"')
  const name = textIn(item, 'name')
  if (name === '' || (kind === 'type' && !/^(?!__)[A-Za-z_]\w*$/u.test(name)))
    throw invalidPayload(`"${name}" cannot be the name of a ${kind}`)
  return {
    kind,
    collection: textIn(item, 'collection'),
    relation: kind === 'type' ? '' : textIn(item, 'relation'),
    name,
    instead: instead === null ? null : textIn(item, 'instead'),
  }
}

/** The scope in which a name must be unique: the collection for fields, the whole schema for types. */
const placeOf = ({ kind, collection, name }: Pick<StoredName, 'kind' | 'collection' | 'name'>) =>
  JSON.stringify(kind === 'type' ? [kind, name] : [kind, collection, name])

const givenOf = ({ relation, ...name }: SnapshotName): StoredName => ({ ...name, subject: relation })

function checkOnce(names: readonly StoredName[]): void {
  for (const identify of [keyOf, placeOf]) {
    const seen = new Set<string>()
    for (const name of names)
      if (seen.size === seen.add(identify(name)).size) throw invalidPayload(`"names" holds ${identify(name)} twice`)
  }
}

export function readNames({ names: list }: Raw): Pick<SnapshotSections, 'names'> {
  if (list === undefined) return {}
  if (!Array.isArray(list) || !list.every(isBody)) throw invalidPayload('"names" has to be a list of objects')
  return { names: inOrder('names', list.map(readName)) }
}

/** If a file gives no second name, the current one stays. */
export function withSecondNames(wanted: SnapshotSections, current: SnapshotSections): SnapshotSections {
  if (wanted.names === undefined) return wanted
  checkOnce(wanted.names.map(givenOf))
  const held = new Map((current.names ?? []).map((name) => [keyOf(givenOf(name)), name.instead]))
  return {
    ...wanted,
    names: wanted.names.map((name) => ({ ...name, instead: name.instead ?? held.get(keyOf(givenOf(name))) ?? null })),
  }
}

const keysOf = ({ kind, collection, subject }: Pick<StoredName, 'kind' | 'collection' | 'subject'>) => [
  named('kind', kind),
  named('collection', collection),
  named('subject', subject),
]

/**
 * Replaces names that differ. Any other owner of such a name loses it. Where tables become visible before the change is
 * complete, they may have received other names in the meantime, so rows are replaced even if they are unknown.
 */
export function planNames(wanted: SnapshotSections, schema: Schema): MetadataChange[] {
  const held = new Map(schema.names.remembered.map((name) => [keyOf(name), name]))
  const changed = (wanted.names ?? []).map(givenOf).filter((name) => {
    const known = held.get(keyOf(name))
    return known?.name !== name.name || known.instead !== name.instead
  })
  checkOnce(changed)
  const table = 'service_names'
  return changed.flatMap((name): MetadataChange[] => {
    const { kind, collection } = name
    const place = [named('kind', kind), ...(kind === 'type' ? [] : [named('collection', collection)])]
    const instead: StoredValue = { column: 'instead', kind: 'text', value: name.instead }
    return [
      ...removeNames([name]),
      { kind: 'remove', table, keys: [...place, named('name', name.name)] },
      { kind: 'insert', table, values: [...keysOf(name), named('name', name.name), instead] },
    ]
  })
}

/** Names of relations and collections that no longer exist. */
export const absentNames = (schema: Schema): readonly StoredName[] =>
  schema.names.remembered.filter((name) => !isPresent(name, schema))

export const removeNames = (names: readonly StoredName[]): MetadataChange[] =>
  names.map((name) => ({ kind: 'remove', table: 'service_names', keys: keysOf(name) }))
