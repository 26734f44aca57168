import type { Query, Selection } from '../reads/ast.ts'
import type { Expected } from '../reads/interpret/expected.ts'
import { type Answer, interpretIn } from '../reads/interpret/interpret.ts'
import { type Row, tableOf } from '../database/model.ts'
import type { World } from '../reads/interpret/world.ts'
import { isWellFormed } from '../reads/incomplete.ts'
import { mayName } from './name-check.ts'
import { fitsOperands, hasOperands, hasPage, namesNothing } from '../reads/spoiled.ts'
import type { View } from './view.ts'

/** A read of a list, or of one item by its key. */
export interface Read {
  readonly query: Query
  readonly key: readonly string[] | null
}

export type Outcome =
  | { readonly status: 200; readonly body: Answer | { readonly data: Expected } }
  | { readonly status: 400; readonly code: 'INVALID_QUERY' }
  | { readonly status: 401; readonly code: 'INVALID_IP' }
  | { readonly status: 403; readonly code: 'FORBIDDEN' }

const FORBIDDEN: Outcome = { status: 403, code: 'FORBIDDEN' }
const INVALID: Outcome = { status: 400, code: 'INVALID_QUERY' }

/** The response that the service must give. */
export function answer(
  view: View,
  { query, key }: Read,
  keyText: (collection: string, row: Row) => readonly string[],
): Outcome {
  if (view.effective.isShutOut) return { status: 401, code: 'INVALID_IP' }
  if (!isWellFormed(query) || !hasPage(query) || !hasOperands(view.model, query)) return INVALID
  if (!mayName(view, query) || namesNothing(query)) return FORBIDDEN
  if (!fitsOperands(view.model, query)) return INVALID
  if (key === null) return { status: 200, body: interpretIn(withGrouping(view, query), query) }
  const one = (row: Row): boolean => keyText(query.collection, row).every((part, index) => part === key[index])
  const { data } = interpretIn(onlyAtRoot(view, query.collection, one), { ...query, limit: -1 })
  return data.length === 0 ? FORBIDDEN : { status: 200, body: { data: data[0]! } }
}

/**
 * An aggregate uses the rows of the permissions that grant a field it names (groups included), or of all permissions if
 * it names none.
 */
function withGrouping(view: View, { collection, grouping }: Query): World {
  if (grouping === undefined) return view
  const names = [
    ...grouping.aggregates.flatMap(({ fields }) => fields.filter((name) => name !== '*')),
    ...grouping.groupBy.map(({ path, subject }) => path[0] ?? subject.name),
  ]
  const shown = names.map((name): Selection => ({ kind: 'field', subject: { name } }))
  return atRoot(view, collection, () => view.rows(collection, shown.length === 0 ? null : shown))
}

const onlyAtRoot = (view: View, collection: string, isWanted: (row: Row) => boolean): World =>
  atRoot(view, collection, (shown) => view.rows(collection, shown).filter(isWanted))

/** The interpreter calls `rows` for the root collection only. */
function atRoot(view: View, collection: string, rows: (shown: readonly Selection[] | null) => readonly Row[]): World {
  return { ...view, rows: (name, shown) => (name === collection ? rows(shown) : view.rows(name, shown)) }
}

export const hasKey = (view: World, collection: string): boolean => tableOf(view.model, collection).key.length > 0
