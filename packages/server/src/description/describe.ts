import {
  DESCRIPTION_VERSION,
  type CollectionDescription,
  type CollectionVerb,
  type FieldDescription,
  type SchemaDescription,
} from '@tain/contract'
import {
  collections as systemCollections,
  type SystemCollection,
  type SystemCollectionName,
} from '@tain/contract/collections'
import type { Permitted } from '../access/actor.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { visibilityOf, type Visibility } from '../system/visible-schema.ts'
import { describeField, type Describing } from './describe-field.ts'
import { isSingleton, mayDo } from './fields.ts'
import { namesOf, typeNameOf } from './names.ts'

/** The schema as the caller may use it: nothing else is named. */
export const describe = (actor: Permitted, schema: Schema): SchemaDescription => ({
  version: DESCRIPTION_VERSION,
  collections: [...describeCollections(actor, schema)],
})

/** The collections one by one, so that a long description does not keep others waiting. */
export function* describeCollections(actor: Permitted, schema: Schema): Generator<CollectionDescription> {
  const visibility = visibilityOf(actor, schema)
  const paths = pathsOf(schema)
  const describing: Describing = {
    actor,
    schema,
    visibility,
    isDescribed: (collection) => paths.has(collection) && verbsOf(collection, visibility).length > 0,
  }
  const names = namesOf(schema)
  for (const [collection, path] of paths) {
    const may = verbsOf(collection, visibility)
    if (may.length === 0) continue
    const fields = fieldsOf(collection, describing)
    const note = collection.meta?.note ?? collection.comment ?? ''
    yield {
      name: collection.name,
      type: typeNameOf(names.get(collection.name) ?? ''),
      path,
      ...(note === '' ? {} : { note }),
      key: keyOf(collection, fields),
      ...(isSingleton(collection) ? { singleton: true } : {}),
      may,
      fields,
    }
  }
}

/** The addresses of all collections that have one, in the order of their names. */
function pathsOf(schema: Schema): ReadonlyMap<Collection, string> {
  const paths = new Map<Collection, string>()
  for (const collection of schema.collections.values())
    if (!collection.isSystem) paths.set(collection, `/items/${encodeURIComponent(collection.name)}`)
  for (const [name, collection] of schema.system) {
    const { path } = systemCollections[name as SystemCollectionName] as SystemCollection
    if (path !== null) paths.set(collection, `/${path}`)
  }
  return new Map([...paths].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1)))
}

const writeVerbs = ['create', 'update', 'delete'] as const

const verbsOf = (collection: Collection, visibility: Visibility): readonly CollectionVerb[] => [
  ...(visibility.mayRead(collection) ? ['read' as const] : []),
  ...writeVerbs.filter((verb) => mayDo(verb, collection, visibility)),
]

/** A key is of use only as a whole, and a part that is hidden has no name. */
const keyOf = ({ key }: Collection, fields: readonly FieldDescription[]): readonly string[] =>
  key.every(({ name }) => fields.some((field) => field.name === name)) ? key.map(({ name }) => name) : []

function fieldsOf(collection: Collection, describing: Describing): readonly FieldDescription[] {
  const fields = [...collection.columns.values(), ...collection.aliases.values(), ...collection.inferred.values()]
  const isFirst = new Set<string>()
  return fields.flatMap((field) => {
    if (isFirst.has(field.name)) return []
    isFirst.add(field.name)
    return describeField(field, collection, describing) ?? []
  })
}
