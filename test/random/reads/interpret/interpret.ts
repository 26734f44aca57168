import type { Deep, Query, Selection, Subject } from '../ast.ts'
import { aggregateRows } from './aggregate.ts'
import { evaluate, matchesSearch, outputKey, subjectType, subjectValue } from './evaluate.ts'
import type { AnyRelation, Cell, Model, Relation, Row } from '../../database/model.ts'
import { anyOf, columnOf, relationOf, tableOf } from '../../database/model.ts'
import { pageOf, sortRows } from './order.ts'
import { type Expected, type ExpectedRecord, record } from './expected.ts'
import { joinKey, toJson } from '../../database/values.ts'
import { plainWorld, type World } from './world.ts'

export interface Answer {
  readonly data: readonly Expected[]
  readonly meta?: { readonly total_count: number; readonly filter_count: number }
}

/** The response that the service must give to a caller who can see everything. */
export function interpret(model: Model, query: Query): Answer {
  return interpretIn(plainWorld(model), query)
}

const STAR: readonly Selection[] = [{ kind: 'star' }]

/** The response that the service must give to a caller with this view of the rows. */
export function interpretIn(world: World, query: Query): Answer {
  const { collection, grouping, fields = STAR } = query
  const visible = world.rows(collection, grouping === undefined ? fields : null)
  const rows = matchingRows(world, collection, visible, query)
  if (grouping !== undefined) return { data: aggregateRows(world, query, grouping, rows) }
  const sorted = sortRows(world, collection, rows, query.sort ?? [])
  const data = pageOf(sorted, query).map((row) => project(world, collection, fields, row))
  if (query.counts !== true) return { data }
  return { data, meta: { total_count: visible.length, filter_count: rows.length } }
}

function matchingRows(
  world: World,
  collection: string,
  rows: readonly Row[],
  { filter, search }: Deep,
): readonly Row[] {
  return rows.filter(
    (row) =>
      (filter === undefined || evaluate(world, collection, filter, row) === true) &&
      (search === undefined || matchesSearch(world, collection, row, search)),
  )
}

function project(world: World, collection: string, fields: readonly Selection[], row: Row): ExpectedRecord {
  const { model } = world
  const table = tableOf(model, collection)
  const result = record()
  const isFollowed = fields.some((field) => field.kind === 'starstar')
  if (isFollowed || fields.some((field) => field.kind === 'star')) {
    const star = world.star(collection, isFollowed)
    for (const name of star.columns)
      result[name] = toJson(columnOf(table, name).type, world.cell(collection, row, name))
    for (const relation of star.lists) {
      result[relation.field] = isFollowed
        ? nested(world, collection, relation, STAR, {}, row)
        : bareValue(world, collection, relation, {}, row)
    }
    for (const relation of isFollowed ? model.relations.get(collection)!.values() : []) {
      if (relation.kind === 'one' && relation.isColumn && star.columns.includes(relation.field))
        result[relation.field] = nested(world, collection, relation, STAR, {}, row)
    }
  }
  for (const field of fields) {
    if (field.kind === 'field')
      result[field.as ?? outputKey(field.subject)] = fieldJson(world, collection, field.subject, row)
  }
  for (const field of fields) {
    if (field.kind === 'any') result[field.as ?? field.field] = anyValue(world, collection, field, row)
    if (field.kind !== 'relation') continue
    const relation = relationOf(model, collection, field.field)
    result[field.as ?? field.field] =
      field.fields === null
        ? bareValue(world, collection, relation, field.deep, row)
        : nested(world, collection, relation, field.fields, field.deep, row)
  }
  return result
}

function fieldJson(world: World, collection: string, subject: Subject, row: Row): Expected {
  return toJson(subjectType(world.model, collection, subject).type, subjectValue(world, collection, subject, row))
}

function nested(
  world: World,
  collection: string,
  relation: Relation,
  fields: readonly Selection[],
  deep: Deep,
  row: Row,
): Expected {
  const rows = nestedRows(world, collection, relation, fields, deep, row)
  const list = rows?.map((end) => project(world, relation.target, fields, end))
  return relation.kind === 'one' ? (list?.[0] ?? null) : (list ?? null)
}

function nestedRows(
  world: World,
  collection: string,
  relation: Relation,
  fields: readonly Selection[],
  deep: Deep,
  row: Row,
): readonly Row[] | null {
  const ends = world.related(collection, relation, row, fields)
  if (ends === null) return null
  const rows = matchingRows(world, relation.target, ends, deep)
  if (relation.kind === 'one') return rows
  return pageOf(sortRows(world, relation.target, rows, deep.sort ?? []), deep)
}

/** Rows of a collection without a branch are shown as their key only. */
function anyValue(world: World, collection: string, field: Selection & { kind: 'any' }, row: Row): Expected {
  const any = anyOf(world.model, collection)
  if (!world.seesAny(collection, any, row)) return null
  const name = world.cell(collection, row, any.collectionColumn)
  const branch = field.branches.find(({ target }) => target === name)
  if (branch === undefined && field.isStrict === true) return null
  if (branch === undefined) return anyKey(world, any, name, world.cell(collection, row, any.field))
  const end = world.anyTarget(collection, any, branch.target, row, branch.fields)
  return end === null ? null : project(world, branch.target, branch.fields, end)
}

function anyKey(world: World, { allowed }: AnyRelation, name: Cell, item: Cell): Expected {
  if (item === null || typeof name !== 'string' || !allowed.includes(name) || !world.knows(name))
    return item as Expected
  const { columns, key } = tableOf(world.model, name)
  const { type } = columns.find((column) => column.name === key[0])!
  return type === 'integer' ? Number(item) : (item as Expected)
}

function bareValue(world: World, collection: string, relation: Relation, deep: Deep, row: Row): Expected {
  if (relation.kind === 'one') {
    const isHidden = !relation.isColumn && world.related(collection, relation, row, null) === null
    return isHidden ? null : keyJson(world, collection, relation.link.near, row)
  }
  const { key } = tableOf(world.model, relation.target)
  const shown = key.map((name): Selection => ({ kind: 'field', subject: { name } }))
  const rows = nestedRows(world, collection, relation, shown, deep, row)
  return rows === null ? null : rows.map((end) => keyJson(world, relation.target, key, end))
}

function keyJson(world: World, collection: string, names: readonly string[], row: Row): Expected {
  const table = tableOf(world.model, collection)
  const columns = names.map((name) => columnOf(table, name))
  const cells = names.map((name): Cell => world.cell(collection, row, name))
  return columns.length === 1 ? toJson(columns[0]!.type, cells[0]!) : joinKey(columns, cells)
}
