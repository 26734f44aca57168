import type { CollectionDescription, FieldDescription } from '@tain/contract'
import { keyType, may, readableFields } from './collection-types.ts'
import { comment, inlineObject, literals, members, propertyName, quoted, type Member } from './source-text.ts'

const relationOf = ({ name, relation }: FieldDescription): readonly Member[] => {
  if (relation === undefined || relation.to.length === 0) return []
  const to = { name: relation.kind, type: literals(relation.to) }
  const by = relation.collection === undefined ? [] : [{ name: 'collection', type: quoted(relation.collection) }]
  return [{ name, type: inlineObject([to, ...by]) }]
}

function entry(collection: CollectionDescription): string {
  const { name, type, note, singleton } = collection
  const fields = readableFields(collection)
  const columns = fields.filter((field) => field.type !== 'alias')
  const parts: readonly Member[] = [
    { name: 'row', type },
    { name: 'key', type: keyType(collection) ?? 'never' },
    { name: 'create', type: may(collection, 'create') ? `${type}Create` : 'never' },
    { name: 'update', type: may(collection, 'update') ? `${type}Update` : 'never' },
    { name: 'filter', type: may(collection, 'read') ? `${type}Filter` : 'never' },
    { name: 'may', type: literals(collection.may) },
    { name: 'singleton', type: String(singleton === true) },
    { name: 'types', type: inlineObject(columns.map((field) => ({ name: field.name, type: quoted(field.type) }))) },
    { name: 'relations', type: inlineObject(fields.flatMap(relationOf)) },
    { name: 'inferred', type: literals(fields.filter(({ inferred }) => inferred === true).map((field) => field.name)) },
  ]
  return `${comment(note, '  ')}  ${propertyName(name)}: {\n${members(parts, '    ')}  }\n`
}

/** All collections by name, for a client. */
export const schemaInterface = (collections: readonly CollectionDescription[]): string =>
  `/** Collections by name. A key of several columns is one text. */\nexport interface Schema {\n${collections.map(entry).join('')}}\n`
