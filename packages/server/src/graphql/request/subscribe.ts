import { ServiceError } from '@tain/contract'
import { GraphQLError, type FieldNode } from 'graphql'
import { parsePosition, type Position } from '../../events/position.ts'
import { createAsyncQueue } from '../../lib/async-queue.ts'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { Audience, Hub, Told, ToldKind, ToldRow, Wish } from '../../realtime/hub.ts'
import type { Collection } from '../../schema/schema.ts'
import { meaningOf } from '../schema/field-mapping.ts'
import { collect, setsOf } from './collect.ts'
import { begin, type Execution } from './execute.ts'
import { flagPlaces, withoutNumbers, type FlagPlaces } from './flags.ts'
import { argumentsOf, selectedQuery, selectionsToQuery, type SelectionContext } from './selection-to-query.ts'
import type { Arguments, SelectedQuery } from './selected-query.ts'

/** A result of a subscription: one changed row. */
export interface ChangeResult {
  readonly data: Readonly<Record<string, unknown>>
  readonly errors?: readonly GraphQLError[]
}

/** The changes that a subscription tells, until its consumer returns. */
export type ChangeResults = AsyncIterableIterator<ChangeResult, undefined>

export interface Listener {
  readonly hub: Pick<Hub, 'subscribe'>
  readonly audience: Audience
  /** The place of the log when the operation arrived: the protocol does not say when it has begun. */
  readonly arrived: Promise<Position | null>
}

/** Begins the one root field of a subscription. Throws if it cannot begin. */
export async function subscribe(execution: Execution, { hub, audience, arrived }: Listener): Promise<ChangeResults> {
  const { type, fields, context } = begin(execution)
  const [[key, nodes] = ['', []]] = fields
  const [node] = nodes
  const field = node && execution.schema.getField(type, node.name.value)
  const meaning = field && meaningOf(field)
  if (node === undefined || field === undefined || meaning?.kind !== 'subscription')
    throw new TypeError('validation has let another field through')
  const { collection } = meaning
  const args = argumentsOf(field, node, context)
  const flags = flagPlaces(field.type, nodes, context, context.types.visibility.schema)
  const { selected, write } = prepareChange(args, nodes, collection, context)
  let close = () => {}
  const { values, push, fail } = createAsyncQueue<ChangeResult>(() => close())
  const subscription = await hub.subscribe(audience, wishOf(args, collection, selected, await arrived), (told) => {
    for (const row of rowsOf(told, fail)) push(resultOf(key, write(row), flags))
  })
  close = () => subscription.close()
  return values
}

function resultOf(key: string, value: unknown, flags: FlagPlaces | null): ChangeResult {
  if (flags === null) return { data: { [key]: value } }
  const { text, errors } = withoutNumbers(JSON.stringify(value), flags, key)
  if (errors.length === 0) return { data: { [key]: value } }
  return {
    data: { [key]: parseExactJson(text) },
    errors: errors.map(({ message, path, extensions }) => new GraphQLError(message, { path, extensions })),
  }
}

function wishOf(args: Arguments, collection: Collection, selected: SelectedQuery, since: Position | null): Wish {
  const { event, from } = args
  return {
    collection: collection.name,
    isSystem: false,
    query: { ...selected, meta: [], countUpTo: null, cursor: null, seek: null, export: null },
    event: (event as ToldKind | null | undefined) ?? null,
    item: null,
    from: from === undefined || from === null ? null : parsePosition(from),
    since,
    isLive: false,
    hasInit: false,
    hasKeys: true,
    tellsPositions: false,
  }
}

/** A changed row, and what happened to it. */
interface Changed {
  readonly kind: ToldKind
  readonly row: ToldRow
  readonly position: string
}

function rowsOf(told: Told, fail: (error: ServiceError) => void): readonly Changed[] {
  switch (told.kind) {
    case 'create':
    case 'update':
    case 'delete': {
      const { kind, position } = told
      return told.rows.map((row) => ({ kind, row, position }))
    }
    case 'init':
      if (told.isResumed === false) fail(new ServiceError('POSITION_GONE'))
      return []
    case 'error':
      fail(told.error)
      return []
    case 'result':
    case 'position':
      return []
  }
}

type Write = (changed: Changed) => unknown

interface PreparedChange {
  readonly selected: SelectedQuery
  readonly write: Write
}

/** The query of the selections of `data`, and how a change becomes the value of the root field. */
function prepareChange(
  { filter }: Arguments,
  nodes: readonly FieldNode[],
  collection: Collection,
  context: SelectionContext,
): PreparedChange {
  const type = context.types.output(collection, 'mutated')
  const asked = [...collect(type, setsOf(nodes), context)]
  const items = asked.filter(([, [node]]) => node?.name.value === 'data')
  // Under several keys `data` can be selected in several ways, but a change has one query.
  const prefixOf = (key: string) => (items.length < 2 ? '' : `_${items.findIndex(([each]) => each === key)}_`)
  const groups = items.map(([key, same]) => ({ prefix: prefixOf(key), sets: setsOf(same) }))
  const selected = selectionsToQuery({ filter }, groups, collection, context)
  const writers: Readonly<Record<string, (key: string) => Write>> = {
    key: () => (changed) => changed.row.key,
    event: () => (changed) => changed.kind,
    position: () => (changed) => changed.position,
    data: (key) => dataWriter(prefixOf(key)),
  }
  const parts = asked.map(([key, [node]]): readonly [string, Write] => [
    key,
    writers[node?.name.value ?? '']?.(key) ?? (() => type.name),
  ])
  return {
    selected: groups.length === 0 ? withoutFields(selected) : selected,
    write: (changed) => Object.fromEntries(parts.map(([key, write]) => [key, write(changed)])),
  }
}

/** A row has to show something, even if only its key is asked for. */
const withoutFields = ({ query, values }: SelectedQuery): SelectedQuery =>
  selectedQuery({ ...query, select: [{ kind: 'constant', name: '__typename', as: '__typename', text: '' }] }, values)

type Item = Readonly<Record<string, unknown>>

/** Subscriptions that are told the same share its rows. */
const parsed = new WeakMap<ToldRow, Item | null>()

function itemOf(row: ToldRow): Item | null {
  const known = parsed.get(row)
  if (known !== undefined) return known
  const item = row.json === null ? null : (parseExactJson(row.json) as Item)
  parsed.set(row, item)
  return item
}

const dataWriter =
  (prefix: string): Write =>
  ({ row }) => {
    const item = itemOf(row)
    if (item === null || prefix === '') return item
    const own = Object.entries(item).filter(([name]) => name.startsWith(prefix))
    return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
  }
