import type { FieldFunction, Filter, Operator, Subject, Test } from './ast.ts'
import { isUnconditional } from './conditions.ts'
import { subjectValue } from './interpret/evaluate.ts'
import { type Cell, type Column, type ColumnType, type Model, type Relation, tableOf } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import { randomCell } from '../database/rows.ts'
import { canary, isSafeOperand, pieceOf } from '../database/texts.ts'
import { plainWorld } from './interpret/world.ts'

const EQUALITY: readonly Operator[] = ['_eq', '_neq', '_in', '_nin']
const ORDER: readonly Operator[] = ['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween']
const NULLNESS: readonly Operator[] = ['_null', '_nnull']
const TEXT: readonly Operator[] = [
  '_contains',
  '_ncontains',
  '_icontains',
  '_starts_with',
  '_nstarts_with',
  '_istarts_with',
  '_nistarts_with',
  '_ends_with',
  '_nends_with',
  '_iends_with',
  '_niends_with',
]

const NUMBER_OPERATORS = [...EQUALITY, ...ORDER, ...NULLNESS]
const EMPTINESS: readonly Operator[] = ['_empty', '_nempty']
// Emptiness is listed twice, because it only differs from nullness where empty strings are stored.
const TEXT_OPERATORS = [...EQUALITY, ...TEXT, ...EMPTINESS, ...EMPTINESS, ...NULLNESS]

const OPERATORS: Readonly<Record<ColumnType, readonly Operator[]>> = {
  integer: NUMBER_OPERATORS,
  bigint: NUMBER_OPERATORS,
  numeric: NUMBER_OPERATORS,
  real: NUMBER_OPERATORS,
  text: TEXT_OPERATORS,
  varchar: TEXT_OPERATORS,
  enum: TEXT_OPERATORS,
  boolean: ['_eq', '_neq', ...NULLNESS],
  date: NUMBER_OPERATORS,
  time: NUMBER_OPERATORS,
  timestamp: NUMBER_OPERATORS,
  timestamptz: NUMBER_OPERATORS,
  json: NULLNESS,
  jsonb: NULLNESS,
  uuid: [...EQUALITY, ...NULLNESS],
  'integer[]': NULLNESS,
  'text[]': NULLNESS,
}

const OF_DATE: readonly FieldFunction[] = ['year', 'month', 'week', 'day', 'weekday']
const OF_TIME: readonly FieldFunction[] = ['hour', 'minute', 'second']

export const FUNCTIONS: Readonly<Partial<Record<ColumnType, readonly FieldFunction[]>>> = {
  date: OF_DATE,
  time: OF_TIME,
  timestamp: [...OF_DATE, ...OF_TIME],
  timestamptz: [...OF_DATE, ...OF_TIME],
  json: ['count'],
  jsonb: ['count'],
  'integer[]': ['count'],
  'text[]': ['count'],
}

/** Every function that the collection offers. */
export function functionsOf(model: Model, collection: string): Subject[] {
  const ofColumns = tableOf(model, collection).columns.flatMap(({ name, type }) =>
    (FUNCTIONS[type] ?? []).map((fn) => ({ name, fn })),
  )
  const ofRelations = relationsOf(model, collection)
    .filter(({ kind }) => kind !== 'one')
    .map(({ field }) => ({ name: field, fn: 'count' as const }))
  return [...ofColumns, ...ofRelations]
}

export function relationsOf(model: Model, collection: string): Relation[] {
  return [...model.relations.get(collection)!.values()]
}

export function randomFilter(rng: Rng, model: Model, collection: string, depth: number): Filter {
  const relations = relationsOf(model, collection)
  const functions = functionsOf(model, collection)
  const kind = rng.weighted([
    [5, 'test'],
    [functions.length > 0 ? 1.2 : 0, 'function'],
    [depth > 0 ? 1.6 : 0, 'and'],
    [depth > 0 ? 1.4 : 0, 'or'],
    [depth > 0 && relations.length > 0 ? 4 : 0, 'relation'],
  ] as const)
  if (kind === 'test') return columnTest(rng, model, collection)
  if (kind === 'function') return functionTest(rng, model, collection, rng.pick(functions))
  if (kind === 'relation') return relationFilter(rng, model, rng.pick(relations), depth - 1)
  const count = rng.weighted([
    [1, 0],
    [2, 1],
    [6, 2],
    [4, 3],
  ])
  const items = Array.from({ length: count }, () => randomFilter(rng, model, collection, depth - 1))
  return kind === 'and' ? { kind, items, flat: rng.chance(0.6) } : { kind, items }
}

function relationFilter(rng: Rng, model: Model, relation: Relation, depth: number): Filter {
  const { field } = relation
  const inner = (): Filter => randomFilter(rng, model, relation.target, depth)
  const condition = (): Filter => {
    const filter = inner()
    return isUnconditional(filter) ? columnTest(rng, model, relation.target) : filter
  }
  if (relation.kind === 'one') {
    const counts = functionsOf(model, relation.target).filter(({ fn }) => fn === 'count')
    // The count of a missing row is error-prone, and rare by chance.
    const isCount = counts.length > 0 && rng.chance(0.12)
    return {
      kind: 'one',
      field,
      filter: isCount ? functionTest(rng, model, relation.target, rng.pick(counts)) : condition(),
    }
  }
  const target = tableOf(model, relation.target)
  const kind = rng.weighted([
    [5, 'some'],
    [3, 'none'],
    [1, 'exists'],
    [target.key.length === 1 && model.rows.get(relation.target)!.length > 0 ? 1 : 0, 'member'],
  ] as const)
  if (kind === 'exists') return { kind, field, op: rng.pick(['_null', '_nnull'] as const), value: rng.chance(0.8) }
  if (kind === 'member') {
    const key = rng.pick(model.rows.get(relation.target)!).get(target.key[0]!)!
    return isOperand(key) ? { kind, field, key } : { kind: 'exists', field, op: '_nnull', value: true }
  }
  const filter = inner()
  return kind === 'none'
    ? { kind, field, filter }
    : { kind, field, filter, flat: rng.chance(0.5) && !isUnconditional(filter) }
}

function columnTest(rng: Rng, model: Model, collection: string): Test {
  const column = rng.pick(tableOf(model, collection).columns)
  const stored = model.rows.get(collection)!.map((row) => row.get(column.name) ?? null)
  const op = rng.pick(OPERATORS[column.type])
  const operand = TEXT.includes(op) ? () => textOperand(rng, stored) : () => operandOf(rng, column, stored)
  return {
    kind: 'test',
    subject: { name: column.name },
    op,
    operands: operandsFor(rng, op, column, operand),
    other: rng.chance(0.25),
  }
}

function functionTest(rng: Rng, model: Model, collection: string, subject: Subject): Test {
  const world = plainWorld(model)
  const stored = model.rows.get(collection)!.map((row) => subjectValue(world, collection, subject, row))
  const op = rng.pick(rng.chance(0.3) ? NULLNESS : NUMBER_OPERATORS)
  const known = stored.filter((cell) => cell !== null)
  const operand = (): Cell => (known.length > 0 && rng.chance(0.7) ? rng.pick(known) : rng.int(0, 30))
  return { kind: 'test', subject, op, operands: operandsFor(rng, op, null, operand), other: rng.chance(0.2) }
}

function operandsFor(rng: Rng, op: Operator, column: Column | null, operand: () => Cell): Cell[] {
  if (['_null', '_nnull', '_empty', '_nempty'].includes(op)) return [rng.chance(0.8)]
  if (op === '_in' || op === '_nin') return Array.from({ length: rng.pick([0, 1, 1, 2, 2, 3, 4]) }, operand)
  if (op === '_between' || op === '_nbetween') return [operand(), operand()]
  const canBeNull = column !== null && (op === '_eq' || op === '_neq')
  return [canBeNull && rng.chance(0.08) ? null : operand()]
}

/** Prefers a stored value, so that conditions match. The service interprets some words differently. */
function operandOf(rng: Rng, column: Column, stored: readonly Cell[]): Cell {
  const known = stored.filter((cell) => cell !== null && isOperand(cell))
  if (known.length > 0 && rng.chance(0.75)) return rng.pick(known)
  const made = randomCell(rng, column)
  return isOperand(made) ? made : canary(rng)
}

function isOperand(cell: Cell): boolean {
  return typeof cell !== 'string' || isSafeOperand(cell)
}

function textOperand(rng: Rng, stored: readonly Cell[]): string {
  const known = stored.filter((cell): cell is string => typeof cell === 'string' && cell !== '')
  const piece = known.length > 0 && rng.chance(0.75) ? pieceOf(rng, rng.pick(known)) : canary(rng)
  const text = rng.chance(0.25) ? withWildcard(rng, piece) : rng.chance(0.2) ? piece.toUpperCase() : piece
  return isSafeOperand(text) ? text : canary(rng)
}

/** A pattern that would match the text if the service interpreted wildcards. */
function withWildcard(rng: Rng, text: string): string {
  const characters = Array.from(text)
  return characters.with(rng.int(0, characters.length - 1), rng.pick(['_', '%'])).join('')
}

/** Some terms are numbers or UUIDs, because these search other columns. */
export function randomSearch(rng: Rng, model: Model, collection: string): string {
  const { columns } = tableOf(model, collection)
  const cells = model.rows.get(collection)!.flatMap((row) => columns.map(({ name }) => row.get(name) ?? null))
  const known = cells.filter((cell) => ['string', 'number', 'bigint'].includes(typeof cell))
  if (known.length === 0 || rng.chance(0.15)) return canary(rng).trim()
  const cell = rng.pick(known)
  if (typeof cell !== 'string') return rng.chance(0.1) ? '2.25' : (cell as number).toString()
  const part = rng.chance(0.5) ? cell : pieceOf(rng, cell)
  const text = (part !== '' && rng.chance(0.15) ? withWildcard(rng, part) : part).trim()
  return isSafeOperand(text) ? text : canary(rng).trim()
}
