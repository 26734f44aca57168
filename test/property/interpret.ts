import type { Deep, Query, Selection, Subject } from './ast.ts'
import { aggregateRows } from './aggregate.ts'
import { evaluate, matchesSearch, outputKey, relatedRows, subjectType, subjectValue } from './evaluate.ts'
import type { Cell, Model, Relation, Row, Table } from './model.ts'
import { columnOf, relationOf, tableOf } from './model.ts'
import { pageOf, sortRows } from './order.ts'
import { type Expected, type ExpectedRecord, record } from './expected.ts'
import { joinKey, toJson } from './values.ts'

export interface Answer {
  readonly data: readonly Expected[]
  readonly meta?: { readonly total_count: number; readonly filter_count: number }
}

/** What the service has to answer. */
export function interpret(model: Model, query: Query): Answer {
  const rows = matchingRows(model, query.collection, model.rows.get(query.collection)!, query)
  if (query.grouping !== undefined) return { data: aggregateRows(model, query, query.grouping, rows) }
  const sorted = sortRows(model, query.collection, rows, query.sort ?? [])
  const fields = query.fields ?? [{ kind: 'star' }]
  const data = pageOf(sorted, query).map((row) => project(model, query.collection, fields, row))
  if (query.counts !== true) return { data }
  return { data, meta: { total_count: model.rows.get(query.collection)!.length, filter_count: rows.length } }
}

function matchingRows(
  model: Model,
  collection: string,
  rows: readonly Row[],
  { filter, search }: Deep,
): readonly Row[] {
  const { columns } = tableOf(model, collection)
  return rows.filter(
    (row) =>
      (filter === undefined || evaluate(model, collection, filter, row) === true) &&
      (search === undefined || matchesSearch(columns, row, search)),
  )
}

function project(model: Model, collection: string, fields: readonly Selection[], row: Row): ExpectedRecord {
  const table = tableOf(model, collection)
  const result = record()
  if (fields.some((field) => field.kind === 'star' || field.kind === 'starstar')) {
    for (const column of table.columns) result[column.name] = toJson(column.type, row.get(column.name) ?? null)
  }
  if (fields.some((field) => field.kind === 'starstar')) {
    for (const relation of model.relations.get(collection)!.values()) {
      if (relation.kind === 'one' && relation.isColumn) {
        result[relation.field] = nested(model, relation, [{ kind: 'star' }], {}, row)
      }
    }
  }
  for (const field of fields) {
    if (field.kind === 'field')
      result[field.as ?? outputKey(field.subject)] = fieldJson(model, collection, field.subject, row)
  }
  for (const field of fields) {
    if (field.kind !== 'relation') continue
    const relation = relationOf(model, collection, field.field)
    result[field.as ?? field.field] =
      field.fields === null
        ? bareValue(model, table, relation, field.deep, row)
        : nested(model, relation, field.fields, field.deep, row)
  }
  return result
}

function fieldJson(model: Model, collection: string, subject: Subject, row: Row): Expected {
  return toJson(subjectType(model, collection, subject).type, subjectValue(model, collection, subject, row))
}

function nested(model: Model, relation: Relation, fields: readonly Selection[], deep: Deep, row: Row): Expected {
  const list = nestedRows(model, relation, deep, row).map((end) => project(model, relation.target, fields, end))
  return relation.kind === 'one' ? (list[0] ?? null) : list
}

function nestedRows(model: Model, relation: Relation, deep: Deep, row: Row): readonly Row[] {
  const rows = matchingRows(model, relation.target, relatedRows(model, relation, row), deep)
  if (relation.kind === 'one') return rows
  return pageOf(sortRows(model, relation.target, rows, deep.sort ?? []), deep)
}

function bareValue(model: Model, table: Table, relation: Relation, deep: Deep, row: Row): Expected {
  if (relation.kind === 'one') return keyJson(table, relation.link.near, row)
  const target = tableOf(model, relation.target)
  return nestedRows(model, relation, deep, row).map((end) => keyJson(target, target.key, end))
}

function keyJson(table: Table, names: readonly string[], row: Row): Expected {
  const columns = names.map((name) => columnOf(table, name))
  const cells = names.map((name): Cell => row.get(name) ?? null)
  return columns.length === 1 ? toJson(columns[0]!.type, cells[0]!) : joinKey(columns, cells)
}
