import type { CollectionDescription, FieldDescription } from '@tain/contract'
import { functionBases, isFilterable, valueFilter } from './filter-types.ts'
import { interfaceOf, union, type Member } from './source-text.ts'
import { orNull, readType, writeType } from './value-types.ts'

/** Collections by name, as relations refer to them. */
export type Collections = ReadonlyMap<string, CollectionDescription>

/** The key as one value: of several columns it is text. null: there is no key that the caller knows. */
export function keyType({ key, fields }: CollectionDescription): string | null {
  const [only] = key
  if (only === undefined) return null
  const field = fields.find(({ name }) => name === only)
  return key.length > 1 || field === undefined ? 'string' : readType(field)
}

const targetsOf = ({ relation }: FieldDescription, collections: Collections): readonly CollectionDescription[] =>
  (relation?.to ?? []).flatMap((name) => collections.get(name) ?? [])

// rows

/** A key that is stored in the row, or the key of several columns as text. */
const ownKey = (field: FieldDescription): string => (field.type === 'alias' ? 'string' : readType(field))

function valueOf(field: FieldDescription, collections: Collections): string {
  const targets = targetsOf(field, collections)
  if (field.relation?.kind !== 'many')
    return union([field.relation === undefined ? readType(field) : ownKey(field), ...targets.map(({ type }) => type)])
  return union(
    targets.flatMap((target) => {
      const key = keyType(target)
      return [...(key === null ? [] : [/\W/u.test(key) ? `(${key})[]` : `${key}[]`]), `${target.type}[]`]
    }),
  )
}

export const readableFields = ({ fields }: CollectionDescription): readonly FieldDescription[] =>
  fields.filter(({ read }) => read !== undefined)

const rowInterface = (collection: CollectionDescription, collections: Collections): string =>
  interfaceOf(
    collection.type,
    readableFields(collection).map((field) => ({
      name: field.name,
      type: orNull(valueOf(field, collections), field.read === 'nullable'),
      note: field.note,
    })),
    { note: collection.note },
  )

// payloads

export const may = ({ may: verbs }: CollectionDescription, verb: CollectionDescription['may'][number]): boolean =>
  verbs.includes(verb)

/** A row inside the payload of another. */
const nestedArguments = (target: CollectionDescription): string => {
  const key = keyType(target)
  return [
    may(target, 'create') ? `${target.type}Create` : 'never',
    key === null ? 'never' : `${target.type}Change`,
    key ?? 'never',
  ].join(', ')
}

function sentValue(field: FieldDescription, collections: Collections): string {
  const targets = targetsOf(field, collections)
  switch (field.relation?.kind) {
    case undefined:
      return writeType(field)
    case 'one':
    case 'any':
      return union([
        field.type === 'alias' ? 'string' : writeType(field),
        ...targets.map((target) => `NestedRow<${nestedArguments(target)}>`),
      ])
    case 'many':
      return union(targets.map((target) => `NestedRows<${nestedArguments(target)}>`))
  }
}

const payloadMember = (field: FieldDescription, isRequired: boolean, collections: Collections): Member => ({
  name: field.name,
  type: orNull(sentValue(field, collections), field.clearable === true),
  isOptional: !isRequired,
  note: field.note,
})

function payloads(collection: CollectionDescription, collections: Collections): readonly string[] {
  const { type, fields, key } = collection
  // Lists of rows that the caller knows nothing of can only be left out.
  const isUnknownList = ({ relation }: FieldDescription) => relation?.kind === 'many' && relation.to.length === 0
  const sendable = fields.filter((field) => !isUnknownList(field))
  const written = (isPart: (field: FieldDescription) => boolean, isCreate: boolean) =>
    sendable.filter(isPart).map((field) => payloadMember(field, isCreate && field.create === 'required', collections))
  const keyMembers = fields.filter(({ name }) => key.includes(name))
  return [
    ...(may(collection, 'create')
      ? [
          interfaceOf(
            `${type}Create`,
            written(({ create }) => create !== undefined, true),
          ),
        ]
      : []),
    ...(may(collection, 'update')
      ? [
          interfaceOf(
            `${type}Update`,
            written(({ update }) => update === true, false),
          ),
        ]
      : []),
    ...(key.length === 0
      ? []
      : [
          interfaceOf(
            `${type}Change`,
            keyMembers.map((field) => ({ name: field.name, type: writeType(field) })),
            may(collection, 'update') ? { bases: [`${type}Update`] } : {},
          ),
        ]),
  ]
}

/** Rows inside payloads, whatever their collection. */
export const payloadTypes = `/** A row inside the payload of another: a new one, changes of the one with its key, or the key alone. */
export type NestedRow<Create, Change, Key> = Create | Change | Key
/** A list inside a payload: all of its rows, or the changes of it. New rows get the key of the other from the service. */
export type NestedRows<Create, Change, Key> =
  | readonly (Partial<Create> | Change | Key)[]
  | { create?: readonly Partial<Create>[]; update?: readonly Change[]; delete?: readonly Key[] }
`

// filters

function conditions(field: FieldDescription, collections: Collections): readonly Member[] {
  const { name, relation } = field
  const targets = targetsOf(field, collections)
  const filters = targets.map(({ type }) => `${type}Filter`)
  const own = field.type === 'alias' ? 'PresenceFilter' : valueFilter(field)
  const optional = (key: string, parts: readonly string[]): Member => ({
    name: key,
    type: union(parts),
    isOptional: true,
  })
  switch (relation?.kind) {
    case undefined:
      return [optional(name, [own])]
    case 'one':
      return [optional(name, [own, ...filters])]
    case 'any':
      return [
        optional(name, [own]),
        ...targets.map((target) => optional(`${name}:${target.name}`, [`${target.type}Filter`])),
      ]
    case 'many':
      return [
        optional(name, [
          ...targets.map(keyConditions),
          ...filters,
          ...filters.map((filter) => `Quantified<${filter}>`),
        ]),
      ]
  }
}

/** Conditions on a list itself apply to the keys of its rows, if these are in one column. */
function keyConditions({ key, fields }: CollectionDescription): string {
  const field = key.length === 1 ? fields.find(({ name }) => name === key[0]) : undefined
  return field === undefined ? 'PresenceFilter' : valueFilter(field)
}

function filterInterface(collection: CollectionDescription, collections: Collections): string {
  const fields = readableFields(collection).filter(isFilterable)
  const name = `${collection.type}Filter`
  return interfaceOf(
    name,
    fields.flatMap((field) => conditions(field, collections)),
    { bases: [`Conditions<${name}>`, ...functionBases(fields)] },
  )
}

/** All types of one collection. */
export const collectionTypes = (collection: CollectionDescription, collections: Collections): string =>
  [
    rowInterface(collection, collections),
    ...payloads(collection, collections),
    ...(may(collection, 'read') ? [filterInterface(collection, collections)] : []),
  ].join('\n')
