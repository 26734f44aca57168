import { inferRelations, subjectOf, type InferredField } from './infer-relations.ts'
import type { StoredName } from '../sql/service/names.ts'
import { nameFields, nameKey, type NamedField } from './names.ts'
import type { Tables } from './relations.ts'
import type { DeclaredRelation, RelationField } from './schema.ts'

export interface InferredOptions {
  readonly remembered: readonly StoredName[]
  /** Whether a field on the one side declares the relation. */
  readonly isDeclared: (relation: DeclaredRelation) => boolean
  /** Whether a column or a declared field has the name. */
  readonly isTaken: (collection: string, name: string) => boolean
  readonly isSystem: (collection: string) => boolean
}

export interface InferredFields {
  readonly byCollection: ReadonlyMap<string, ReadonlyMap<string, RelationField>>
  /** collection → names of its inferred fields, oldest first, including names reserved for absent fields. */
  readonly names: ReadonlyMap<string, readonly string[]>
  /** All declared relations; those over several columns carry the name of their inferred field. */
  readonly relations: readonly DeclaredRelation[]
  readonly fresh: readonly StoredName[]
  readonly displaced: readonly StoredName[]
  readonly subjects: ReadonlySet<string>
}

/** Infers fields and assigns their names. */
export function inferFields(
  tables: Tables,
  declared: readonly DeclaredRelation[],
  options: InferredOptions,
): InferredFields {
  const { isTaken, isSystem, isDeclared } = options
  const found = inferRelations(tables, declared, isDeclared, isTaken)
  const byCollection = new Map<string, Map<string, RelationField>>()
  const isTakenName = (collection: string, name: string) =>
    isTaken(collection, name) || byCollection.get(collection)?.has(name) === true
  const add = (collection: string, name: string, relation: RelationField['relation']) => {
    const fields = byCollection.get(collection) ?? new Map<string, RelationField>()
    fields.set(name, { kind: 'inferred', name, relation })
    byCollection.set(collection, fields)
  }
  for (const { collection, name, relation } of found.named) add(collection, name, relation)
  // Fields between system collections depend only on the service's version, and no other field takes their names.
  const isOwn = ({ collection, relation }: InferredField) => isSystem(collection) && isSystem(relation.to)
  const own = found.fields.filter(isOwn)
  for (const [{ collection, relation }, { name }] of nameFields(own, {
    remembered: [],
    isTaken: isTakenName,
  }))
    add(collection, name, relation)
  const others = found.fields.filter((field) => !isOwn(field))
  const named = nameFields(others, { ...options, isTaken: isTakenName })
  const composite = new Map<string, string>()
  for (const [{ collection, relation, subject }, { name }] of named) {
    add(collection, name, relation)
    if (relation.kind === 'one') composite.set(JSON.stringify([collection, subject]), name)
  }
  const changes = (change: NamedField['change']) =>
    [...named.values()].flatMap((field) => (field.change === change ? [field.given] : []))
  return {
    byCollection,
    names: namesByAge(byCollection, [...named.values()], options.remembered),
    relations: declared.map((relation) => withFieldName(relation, composite)),
    fresh: changes('fresh'),
    displaced: changes('displaced'),
    subjects: found.subjects,
  }
}

/** Remembered names in their stored order, then the new names. */
function namesByAge(
  fields: ReadonlyMap<string, ReadonlyMap<string, RelationField>>,
  named: readonly NamedField[],
  remembered: readonly StoredName[],
): Map<string, readonly string[]> {
  const inUse = new Map(named.map(({ given, name }) => [nameKey(given), name]))
  const kept = Map.groupBy(
    remembered.filter(({ kind }) => kind === 'field'),
    ({ collection }) => collection,
  )
  return new Map(
    [...fields].map(([collection, own]) => {
      const old = (kept.get(collection) ?? []).map((row) => inUse.get(nameKey(row)) ?? row.name)
      return [collection, [...new Set([...old, ...own.keys()])]]
    }),
  )
}

function withFieldName(relation: DeclaredRelation, names: ReadonlyMap<string, string>): DeclaredRelation {
  const { collection, relatedCollection, foreignKey } = relation
  if (relatedCollection === null || foreignKey === null || foreignKey.columns.length < 2) return relation
  const { columns, toColumns } = foreignKey
  const subject = subjectOf({ kind: 'one', columns, to: relatedCollection, toColumns })
  return { ...relation, field: names.get(JSON.stringify([collection, subject])) ?? relation.field }
}
