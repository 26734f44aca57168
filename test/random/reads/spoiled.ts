import type { Filter, Query, Test } from './ast.ts'
import { subjectType } from './interpret/evaluate.ts'
import { type Model, relationOf, tableOf } from '../database/model.ts'
import type { Rng } from '../rng.ts'

const NO_SUCH_FIELD = 'no_such_field'

/** Makes the query invalid in a way that every protocol can express and none may answer. */
export function spoiled(rng: Rng, model: Model, query: Query): Query {
  const columns = tableOf(model, query.collection).columns
  const number = columns.find(({ type }) => type === 'integer')
  const test = (operands: Test['operands'], op: Test['op']): Query => ({
    ...query,
    filter: { kind: 'test', subject: { name: number?.name ?? '' }, op, operands, other: false },
  })
  const isList = query.grouping === undefined
  return rng.weighted<() => Query>([
    [isList ? 1 : 0, () => ({ ...query, sort: [{ path: [], subject: { name: NO_SUCH_FIELD }, desc: false }] })],
    [1, () => ({ ...query, limit: -7 })],
    [1, () => ({ ...query, offset: -1 })],
    [number === undefined ? 0 : 1, () => test([1], '_between')],
    [number === undefined ? 0 : 1, () => test([1, 2, 3], '_nbetween')],
    [number === undefined ? 0 : 1, () => test(['abc'], '_eq')],
    [number === undefined ? 0 : 1, () => test(['1x', '2'], '_in')],
  ])()
}

/** Whether the query names a field that no collection has. */
export const namesNothing = ({ sort = [] }: Query): boolean =>
  sort.some(({ subject }) => subject.name === NO_SUCH_FIELD)

/** Whether `limit` and `offset` are numbers that a page can have. */
export const hasPage = ({ limit = -1, offset = 0 }: Query): boolean => limit >= -1 && offset >= 0

type Check = (model: Model, collection: string, test: Test) => boolean

/** Whether each operator of the root filter has as many operands as it takes. */
export const hasOperands = (model: Model, { collection, filter }: Query): boolean =>
  filter === undefined || everyTest(model, collection, filter, isCounted)

/** Whether the operands of the root filter can be values of their columns. */
export const fitsOperands = (model: Model, { collection, filter }: Query): boolean =>
  filter === undefined || everyTest(model, collection, filter, isTyped)

const isCounted: Check = (_model, _collection, { op, operands }) =>
  (op !== '_between' && op !== '_nbetween') || operands.length === 2

const isTyped: Check = (model, collection, { subject, operands }) =>
  subjectType(model, collection, subject).type !== 'integer' || operands.every((operand) => typeof operand !== 'string')

function everyTest(model: Model, collection: string, filter: Filter, check: Check): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.items.every((item) => everyTest(model, collection, item, check))
    case 'one':
    case 'some':
    case 'none':
      return everyTest(model, relationOf(model, collection, filter.field).target, filter.filter, check)
    case 'any':
      return everyTest(model, filter.target, filter.filter, check)
    case 'test':
      return check(model, collection, filter)
    case 'exists':
    case 'member':
    case 'bare':
    case 'constant':
      return true
  }
}
