import type { DatabaseForeignKey, DatabaseTable } from '../sql/database-schema.ts'
import { nameKey, type NameCandidate } from './names.ts'
import { fieldNameOf, reverseOf, type Tables } from './relations.ts'
import type { DeclaredRelation, RelationField, Through, ToMany, ToOne } from './schema.ts'

const sameList = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i])
const sameSet = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x) => b.includes(x))

/** An inferred field with its candidate names. */
export interface InferredField extends NameCandidate {
  readonly relation: RelationField['relation']
}

/**
 * The result of inference. `named`: relations that metadata names on the one side without a field that declares them;
 * they use that name.
 */
export interface Inferred {
  readonly fields: readonly InferredField[]
  readonly named: readonly { readonly collection: string; readonly name: string; readonly relation: ToMany }[]
  /** Every relation that could be inferred, including those that metadata declares. */
  readonly subjects: ReadonlySet<string>
}

/** Column pairs of both sides, sorted so that the column order of the constraint does not matter. */
function pairs(columns: readonly string[], toColumns: readonly string[]): readonly (readonly string[])[] {
  return columns
    .map((column, index) => [column, toColumns[index] ?? ''] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Identifies a relation by its tables and columns, seen from the collection that has the field. */
export function subjectOf(relation: RelationField['relation']): string {
  const { kind, columns, to, toColumns } = relation
  if (kind === 'through') {
    const { junction, nearColumns, farColumns } = relation
    return JSON.stringify([kind, junction, pairs(nearColumns, columns), to, pairs(farColumns, toColumns)])
  }
  return JSON.stringify(kind === 'many' ? [kind, to, pairs(toColumns, columns)] : [kind, to, pairs(columns, toColumns)])
}

const isNative = (name: string) => fieldNameOf(name) === name

/** Infers fields from foreign keys alone (composite to-one, one-to-many, many-to-many through pure junctions). */
export function inferRelations(
  tables: Tables,
  declared: readonly DeclaredRelation[],
  isDeclared: (relation: DeclaredRelation) => boolean,
  isTaken: (collection: string, name: string) => boolean,
): Inferred {
  const keys = declared.filter(({ foreignKey, relatedCollection }) => foreignKey !== null && relatedCollection !== null)
  const reverse = inferReverse(keys, tables, isDeclared, isTaken)
  const all = [
    ...keys.flatMap(inferComposite),
    ...reverse.fields,
    ...[...tables.byName.values()].flatMap(({ name, table }) => inferThrough(name, table, tables)),
  ]
  // Two constraints over the same columns are one relation.
  const fields = [...new Map(all.toReversed().map((field) => [keyOf(field), field])).values()].toReversed()
  return { fields, named: reverse.named, subjects: new Set([...all.map(keyOf), ...reverse.subjects]) }
}

const keyOf = ({ collection, subject }: Pick<NameCandidate, 'collection' | 'subject'>) =>
  nameKey({ kind: 'field', collection, subject })

function inferComposite({ collection, relatedCollection, foreignKey }: DeclaredRelation): InferredField[] {
  if (foreignKey === null || relatedCollection === null || foreignKey.columns.length < 2) return []
  const relation: ToOne = {
    kind: 'one',
    columns: foreignKey.columns,
    to: relatedCollection,
    toColumns: foreignKey.toColumns,
  }
  const plain = fieldNameOf(relatedCollection)
  const qualified = fieldNameOf(`${plain}_by_${foreignKey.columns.join('_')}`)
  return [
    {
      collection,
      relation,
      subject: subjectOf(relation),
      plain,
      qualified,
      isNative: isNative(relatedCollection),
      isOneOfSeveral: false,
    },
  ]
}

function inferReverse(
  keys: readonly DeclaredRelation[],
  tables: Tables,
  isDeclared: (relation: DeclaredRelation) => boolean,
  isTaken: (collection: string, name: string) => boolean,
): { fields: InferredField[]; named: Mutable<Inferred['named']>; subjects: string[] } {
  const fields: InferredField[] = []
  const named: Mutable<Inferred['named']> = []
  const subjects: string[] = []
  const leading = new Map<string, Set<string>>()
  const pair = (relation: DeclaredRelation) => JSON.stringify([relation.collection, relation.relatedCollection])
  const reverses = keys.flatMap((key) => {
    const relation = reverseOf(key, tables)
    if (relation === null) return []
    const subject = subjectOf(relation)
    leading.set(pair(key), (leading.get(pair(key)) ?? new Set<string>()).add(subject))
    return [{ key, relation, subject }]
  })
  const namedAs = new Set<string>()
  for (const { key, relation, subject } of reverses) {
    const { relatedCollection, foreignKey, meta } = key
    if (relatedCollection === null || foreignKey === null) continue
    const name = meta?.one_field
    if (name) {
      subjects.push(keyOf({ collection: relatedCollection, subject }))
      if (isDeclared(key)) continue
      const place = JSON.stringify([relatedCollection, name])
      if (!isTaken(relatedCollection, name) && namedAs.size < namedAs.add(place).size) {
        named.push({ collection: relatedCollection, name, relation })
        continue
      }
    }
    const plain = fieldNameOf(key.collection)
    const qualified = fieldNameOf(`${plain}_by_${foreignKey.columns.join('_')}`)
    const isOneOfSeveral = (leading.get(pair(key))?.size ?? 0) > 1
    fields.push({
      collection: relatedCollection,
      relation,
      subject,
      plain,
      qualified,
      isNative: isNative(key.collection),
      isOneOfSeveral,
    })
  }
  return { fields, named, subjects }
}

type Mutable<T> = T extends readonly (infer E)[] ? E[] : never

/** The fields of a pure junction: a table whose primary key consists of exactly two foreign keys. */
function inferThrough(junction: string, table: DatabaseTable, tables: Tables): InferredField[] {
  return sidesOfJunction(table).flatMap(([first, second]) =>
    (
      [
        [first, second],
        [second, first],
      ] as const
    ).flatMap(([near, far]): InferredField[] => {
      const from = tables.nameOf(near.toSchema, near.toTable)
      const to = tables.nameOf(far.toSchema, far.toTable)
      if (from === undefined || to === undefined) return []
      const relation: Through = {
        kind: 'through',
        columns: near.toColumns,
        junction,
        nearColumns: near.columns,
        farColumns: far.columns,
        to,
        toColumns: far.toColumns,
      }
      const via = `${fieldNameOf(to)}_via_${fieldNameOf(junction)}`
      // If both sides are the same table, only the column names tell the two directions apart.
      const direction = fieldNameOf(far.columns.join('_'))
      const isSelf = from === to
      return [
        {
          collection: from,
          relation,
          subject: subjectOf(relation),
          plain: isSelf ? `${fieldNameOf(junction)}_${direction}` : fieldNameOf(to),
          qualified: isSelf ? `${via}_${direction}` : via,
          isNative: isNative(isSelf ? junction : to),
          isOneOfSeveral: false,
        },
      ]
    }),
  )
}

function sidesOfJunction({ primaryKey, foreignKeys }: DatabaseTable): [DatabaseForeignKey, DatabaseForeignKey][] {
  const inside = foreignKeys.filter((key) => key.columns.every((column) => primaryKey.includes(column)))
  return inside.flatMap((first, index) =>
    inside
      .slice(index + 1)
      .filter(
        (second) =>
          sameSet([...first.columns, ...second.columns], primaryKey) && !sameList(first.columns, second.columns),
      )
      .map((second): [DatabaseForeignKey, DatabaseForeignKey] => [first, second]),
  )
}
