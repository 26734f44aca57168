// Relations and the field names that the contract gives them on the first introspection, from the catalogue alone.
import type { ForeignKey, Table } from './model.ts'

export interface ToOne {
  readonly kind: 'one'
  readonly from: Table
  readonly name: string
  readonly key: ForeignKey
}

export interface ToMany {
  readonly kind: 'many'
  readonly from: Table
  readonly name: string
  readonly child: Table
  readonly key: ForeignKey
}

export interface Through {
  readonly kind: 'through'
  readonly from: Table
  readonly name: string
  readonly junction: Table
  readonly near: ForeignKey
  readonly far: ForeignKey
}

export type Relation = ToOne | ToMany | Through

type Nameless<T extends Relation> = Omit<T, 'name'>

/** An inferred field and the names it can have. */
interface Candidate {
  readonly relation: Nameless<ToOne> | Nameless<ToMany> | Nameless<Through>
  readonly plain: string
  readonly qualified: string
  /** Several foreign keys of one table lead to the same table. */
  readonly isOneOfSeveral: boolean
  /** The table really has this name, while others only get it when their dots are replaced. */
  readonly isNative: boolean
}

/** Dots separate the steps of a path. */
const flat = (name: string): string => name.replaceAll('.', '_')

const sameColumns = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, place) => name === b[place])

/** Two constraints over the same columns are one relation. */
const distinctKeys = ({ foreignKeys }: Table): readonly ForeignKey[] =>
  foreignKeys.filter((key, place) => {
    const isSame = (other: ForeignKey) =>
      other.to === key.to && sameColumns(other.columns, key.columns) && sameColumns(other.toColumns, key.toColumns)
    return foreignKeys.findIndex(isSame) === place
  })

const byColumns = (name: string, { columns }: ForeignKey) => flat(`${flat(name)}_by_${columns.join('_')}`)

/** A composite foreign key is a field named after the table it references. */
const compositeOf = (from: Table): readonly Candidate[] =>
  distinctKeys(from)
    .filter(({ columns }) => columns.length > 1)
    .map((key) => ({
      relation: { kind: 'one', from, key },
      plain: flat(key.to.collection),
      qualified: byColumns(key.to.collection, key),
      isOneOfSeveral: false,
      isNative: !key.to.collection.includes('.'),
    }))

const reverseOf = (child: Table): readonly Candidate[] =>
  distinctKeys(child).map((key) => ({
    relation: { kind: 'many', from: key.to, child, key },
    plain: flat(child.collection),
    qualified: byColumns(child.collection, key),
    isOneOfSeveral: distinctKeys(child).filter(({ to }) => to === key.to).length > 1,
    isNative: !child.collection.includes('.'),
  }))

/** Pairs of foreign keys that together form the table's key, from both sides. */
function sidesOf(table: Table): readonly (readonly [near: ForeignKey, far: ForeignKey])[] {
  const inside = distinctKeys(table).filter(({ columns }) => columns.every((name) => table.key.includes(name)))
  return inside.flatMap((first, place) =>
    inside.slice(place + 1).flatMap((second) => {
      const columns = [...first.columns, ...second.columns]
      const isWhole = columns.length === table.key.length && new Set(columns).size === columns.length
      return isWhole ? [[first, second] as const, [second, first] as const] : []
    }),
  )
}

const throughOf = (junction: Table): readonly Candidate[] =>
  sidesOf(junction).map(([near, far]) => {
    const isSelf = near.to === far.to
    const direction = flat(far.columns.join('_'))
    const via = `${flat(far.to.collection)}_via_${flat(junction.collection)}`
    return {
      relation: { kind: 'through', from: near.to, junction, near, far },
      plain: isSelf ? `${flat(junction.collection)}_${direction}` : flat(far.to.collection),
      qualified: isSelf ? `${via}_${direction}` : via,
      isOneOfSeveral: false,
      isNative: !(isSelf ? junction : far.to).collection.includes('.'),
    }
  })

/**
 * A field gets the plain name if no other claims it. Among several, the only one whose table really has this name wins.
 */
function isPlain(candidate: Candidate, all: readonly Candidate[]): boolean {
  const rivals = all.filter((other) => !other.isOneOfSeveral && other !== candidate && other.plain === candidate.plain)
  return !candidate.isOneOfSeveral && rivals.every((rival) => candidate.isNative && !rival.isNative)
}

function nameAll(from: Table, candidates: readonly Candidate[]): Relation[] {
  const taken = new Set(from.columns.map(({ name }) => name))
  const give = (candidate: Candidate, name: string): Relation => {
    taken.add(name)
    return { ...candidate.relation, name }
  }
  const plain = candidates.filter((candidate) => isPlain(candidate, candidates) && !taken.has(candidate.plain))
  const named = plain.map((candidate) => give(candidate, candidate.plain))
  for (const candidate of candidates.filter((each) => !plain.includes(each))) {
    let name = candidate.qualified
    for (let number = 2; taken.has(name); number += 1) name = `${candidate.qualified}_${number}`
    named.push(give(candidate, name))
  }
  return named
}

/**
 * A column with a foreign key is itself the relation field. A column with two foreign keys leads to one of the tables
 * only.
 */
const columnsOf = (from: Table): readonly Relation[] =>
  distinctKeys(from)
    .filter(({ columns: [name], columns }) => columns.length === 1 && keysOf(from, name ?? '').length === 1)
    .map((key) => ({ kind: 'one', from, name: key.columns[0] ?? '', key }))

const keysOf = (table: Table, name: string) =>
  distinctKeys(table).filter(({ columns }) => columns.length === 1 && columns[0] === name)

/** Every relation between the served tables. */
export function relationsOf(tables: readonly Table[]): readonly Relation[] {
  const isServed = new Set(tables)
  const candidates = tables
    .flatMap((table) => [...compositeOf(table), ...reverseOf(table), ...throughOf(table)])
    .filter(({ relation }) => isServed.has(relation.from) && isServed.has(targetOf(relation)))
  const byTable = Map.groupBy(candidates, ({ relation }) => relation.from)
  return [
    ...tables.flatMap(columnsOf).filter((relation) => isServed.has(targetOf(relation))),
    ...[...byTable].flatMap(([table, own]) => nameAll(table, own)),
  ]
}

const targetOf = (relation: Candidate['relation']): Table =>
  relation.kind === 'one' ? relation.key.to : relation.kind === 'many' ? relation.child : relation.far.to
