import { invalidPayload, SNAPSHOT_VERSION, type SnapshotSections } from '@tain/contract'
import { isBody } from '../metadata.ts'
import { readNames } from './given-names.ts'
import { readPermissionModel } from './permissions.ts'
import { allSections, type Item } from './sections.ts'

/** The sections of a snapshot, without a database that could complete what the file leaves out. */
export function readOffline(file: unknown): SnapshotSections {
  if (!isBody(file) || !isItems(file['collections']) || !isItems(file['fields']))
    throw invalidPayload('The file is no snapshot: it has no lists "collections" and "fields"')
  if (file['version'] !== SNAPSHOT_VERSION)
    throw invalidPayload(`The snapshot is of version ${String(file['version'])}, not ${SNAPSHOT_VERSION}`)
  const { relations = [] } = file
  if (!isItems(relations)) throw invalidPayload('"relations" has to be a list of objects')
  const raw = Object.fromEntries(allSections.flatMap((name) => (file[name] === undefined ? [] : [[name, file[name]]])))
  return {
    collections: named(file['collections'], ['collection']),
    fields: named(file['fields'], ['collection', 'field']),
    systemFields: [],
    relations: named(relations, ['collection', 'field']),
    ...readNames(raw),
    ...readPermissionModel(raw),
  } as unknown as SnapshotSections
}

const isItems = (value: unknown): value is readonly Item[] => Array.isArray(value) && value.every(isBody)

/** Members that a file may leave out are null. */
const named = (items: readonly Item[], names: readonly string[]): readonly Item[] =>
  items.map((item) => {
    for (const name of names)
      if (typeof item[name] !== 'string') throw invalidPayload(`"${name}" is missing in ${JSON.stringify(item)}`)
    return { meta: null, ...(names.includes('field') ? {} : { schema: null }), ...item }
  })
