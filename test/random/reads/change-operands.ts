import type { Deep, Filter, Query, Selection, Test } from './ast.ts'
import { type Cell, columnOf, type Model, relationOf, tableOf } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import { randomCell } from '../database/rows.ts'
import { canary, isSafeOperand, randomUuid } from '../database/texts.ts'

/** The same query with other operands; its SQL statement must stay exactly the same. */
export function changeOperands(rng: Rng, model: Model, query: Query): Query {
  const { fields } = query
  const changed = { ...query, ...changeShape(rng, model, query.collection, query) }
  return fields === undefined ? changed : { ...changed, fields: changeFields(rng, model, query.collection, fields) }
}

function changeShape(rng: Rng, model: Model, collection: string, { filter, search }: Deep): Deep {
  return {
    ...(filter === undefined ? {} : { filter: changeFilter(rng, model, collection, filter) }),
    ...(search === undefined ? {} : { search: changeSearch(rng, search) }),
  }
}

function changeFields(rng: Rng, model: Model, collection: string, fields: readonly Selection[]): Selection[] {
  return fields.map((field) => {
    if (field.kind !== 'relation') return field
    const { target } = relationOf(model, collection, field.field)
    const nested = field.fields === null ? null : changeFields(rng, model, target, field.fields)
    return { ...field, fields: nested, deep: { ...field.deep, ...changeShape(rng, model, target, field.deep) } }
  })
}

/** Keeps the type of the term, because it decides which columns are searched. */
function changeSearch(rng: Rng, term: string): string {
  if (/^-?\d{1,8}$/.test(term)) return String(rng.int(0, 99_999_999))
  if (/^-?\d+(\.\d+)?$/.test(term)) return term.includes('.') ? `${rng.int(0, 99)}.75` : term
  return /^[0-9a-f-]{36}$/i.test(term) ? randomUuid(rng) : canary(rng).trim()
}

function changeFilter(rng: Rng, model: Model, collection: string, filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, items: filter.items.map((item) => changeFilter(rng, model, collection, item)) }
    case 'test':
      return changeTest(rng, model, collection, filter)
    case 'one':
    case 'some':
    case 'none': {
      const { target } = relationOf(model, collection, filter.field)
      return { ...filter, filter: changeFilter(rng, model, target, filter.filter) }
    }
    case 'member': {
      const target = tableOf(model, relationOf(model, collection, filter.field).target)
      return { ...filter, key: otherCell(rng, model, target.collection, target.key[0]!) }
    }
    case 'any':
      return { ...filter, filter: changeFilter(rng, model, filter.target, filter.filter) }
    case 'exists':
    case 'bare':
    case 'constant':
      return filter
  }
  throw new Error('no such filter')
}

function changeTest(rng: Rng, model: Model, collection: string, test: Test): Test {
  const isFlag = ['_null', '_nnull', '_empty', '_nempty'].includes(test.op)
  if (isFlag) return test
  const isText = /contains|starts_with|ends_with/.test(test.op)
  const operands = test.operands.map((operand): Cell => {
    if (operand === null) return null
    if (isText) return canary(rng)
    return test.subject.fn === undefined ? otherCell(rng, model, collection, test.subject.name) : rng.int(0, 60)
  })
  return { ...test, operands }
}

function otherCell(rng: Rng, model: Model, collection: string, name: string): Cell {
  const cell = randomCell(rng, columnOf(tableOf(model, collection), name))
  return typeof cell === 'string' && !isSafeOperand(cell) ? canary(rng) : cell
}
