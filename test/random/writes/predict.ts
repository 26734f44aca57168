import { applyRemovals, checkAll, deleteRows } from './check.ts'
import { isUnconditional, meets, namedIn } from './conditions.ts'
import { type Guard, openGuard } from './guard.ts'
import { columnOf, type Schema, type Table, tableOf } from './schema.ts'
import { copyState, findRow, type Row, rowsOf, type State, valueOf } from './state.ts'
import { checkOrders } from './orders.ts'
import { asPayload, existing, isObject, keyIn, keyParts, mustExist, type Payload, type Run } from './run-state.ts'
import { Refused, stored } from './values.ts'
import { create, update, updateAll } from './write.ts'

export interface WriteRequest {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly table: string
  /** As written in the URL. */
  readonly key: string | null
  readonly onConflict: string | null
  readonly body: unknown
}

/** `ordered`: rows in the order sent; `any`: in any order; `skip`: the contract does not say. */
export interface Expected {
  readonly form: 'one' | 'many' | 'nothing'
  readonly order: 'ordered' | 'any' | 'skip'
  readonly rows: readonly Row[]
}

export type Outcome =
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'done'; readonly state: State; readonly answer: Expected; readonly mayRefuse: string | null }
  /** Any outcome is allowed, but not a partial one. */
  | { readonly kind: 'open'; readonly reason: string }

/** Predicts the effect of a request on the rows. */
export function predict(schema: Schema, before: State, request: WriteRequest, guard: Guard = openGuard): Outcome {
  const run = startRun(schema, before, guard)
  try {
    const answer = perform(run, request)
    if (run.direct.intersection(run.joined).size > 0) run.open.add('links are written in two ways')
    checkOrders(run)
    applyRemovals(run)
    checkAll(run)
    const [reason] = run.open
    if (reason !== undefined) return { kind: 'open', reason }
    const [mayRefuse = null] = run.mayRefuse
    return { kind: 'done', state: run.after, answer, mayRefuse }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const [reason] = run.open
    return reason === undefined
      ? { kind: 'refused', status: error.status, reason: error.message }
      : { kind: 'open', reason }
  }
}

const startRun = (schema: Schema, before: State, guard: Guard): Run => ({
  guard,
  schema,
  before,
  after: copyState(before),
  created: new Set(),
  writes: new Map(),
  linked: new Set(),
  scalars: new Set(),
  removals: [],
  direct: new Set(),
  joined: new Set(),
  moved: new Set(),
  lists: new Set(),
  orders: [],
  mayRefuse: new Set(),
  open: new Set(),
  item: 0,
})

const one = (row: Row): Expected => ({ form: 'one', order: 'ordered', rows: [row] })
const many = (rows: readonly Row[], order: Expected['order'] = 'ordered'): Expected => ({ form: 'many', order, rows })

const ACTIONS = { POST: ['create'], PATCH: ['update'], PUT: ['create', 'update'], DELETE: ['delete'] } as const

function perform(run: Run, request: WriteRequest): Expected {
  const table = tableOf(run.schema, request.table)
  run.guard.begin(run, table, ACTIONS[request.method])
  switch (request.method) {
    case 'POST':
      return Array.isArray(request.body)
        ? many(each(run, request.body, (item) => create(run, table, item)))
        : one(create(run, table, asPayload(request.body)))
    case 'PATCH':
      return request.key === null ? patchMany(run, table, request.body) : patchOne(run, table, request)
    case 'PUT':
      return put(run, table, request)
    case 'DELETE': {
      const rows = request.key === null ? targets(run, table, request.body, []) : [addressed(run, table, request.key)]
      for (const row of rows) run.guard.remove(run, table, row)
      const victims = rows.map((row) => ({ table: table.name, row }))
      deleteRows(run, victims, true)
      return { form: 'nothing', order: 'skip', rows: [] }
    }
  }
}

function each(run: Run, items: readonly unknown[], work: (item: Payload) => Row): Row[] {
  return items.map((item, index) => {
    run.item = index
    return work(asPayload(item))
  })
}

const urlKey = (key: string, table: Table): string[] => {
  const parts = key.split(',').map(decodeURIComponent)
  if (parts.length !== table.key.length) throw new Refused(403, 'a key with the wrong number of parts')
  return keyParts(Object.fromEntries(table.key.map((name, index) => [name, parts[index]])), table)
}

const addressed = (run: Run, table: Table, key: string): Row => mustExist(run, table, urlKey(key, table))

function patchOne(run: Run, table: Table, { key, body }: WriteRequest): Expected {
  const row = addressed(run, table, key ?? '')
  update(run, table, row, asPayload(body))
  return one(row)
}

function patchMany(run: Run, table: Table, body: unknown): Expected {
  if (Array.isArray(body)) {
    const rows = each(run, body, (item) => {
      const row = mustExist(run, table, ownKey(item, table))
      update(run, table, row, item)
      return row
    })
    return many(rows, new Set(rows).size === rows.length ? 'ordered' : 'skip')
  }
  if (!isObject(body) || !isObject(body['data'])) throw new Refused(400, 'data is no object')
  const rows = targets(run, table, body, ['data'])
  // No row matches, so the rows are the same whether or not errors in the data are reported.
  if (rows.length === 0) run.mayRefuse.add('nothing matches')
  else updateAll(run, table, rows, body['data'])
  return many(rows, body['keys'] === undefined ? 'any' : 'ordered')
}

function ownKey(item: Payload, table: Table): string[] {
  const key = keyIn(item, table)
  if (key === null) throw new Refused(400, 'an item without its key')
  return key
}

function put(run: Run, table: Table, request: WriteRequest): Expected {
  const { key, body, onConflict } = request
  if (key !== null) {
    const parts = urlKey(key, table)
    const named = Object.fromEntries(table.key.map((name, index) => [name, parts[index]]))
    return one(save(run, table, { ...asPayload(body), ...named }, parts))
  }
  const items = Array.isArray(body) ? body : [body]
  const isUnique = [table.key, ...table.uniques].some((columns) => columns.length === 1 && columns[0] === onConflict)
  if (onConflict !== null && !isUnique) throw new Refused(400, `${onConflict} is not unique`)
  const rows = each(run, items, (item) => {
    if (onConflict !== null) return saveBy(run, table, item, onConflict)
    const own = keyIn(item, table)
    return own === null ? create(run, table, item) : save(run, table, item, own)
  })
  if (new Set(rows).size < rows.length) run.open.add('one row is saved twice')
  return Array.isArray(body) ? many(rows) : one(rows[0] ?? { id: 0, values: new Map() })
}

function save(run: Run, table: Table, item: Payload, key: readonly string[]): Row {
  const row = existing(run, table, key)
  if (row === undefined) return create(run, table, item)
  update(run, table, row, item)
  return row
}

function saveBy(run: Run, table: Table, item: Payload, field: string): Row {
  const column = columnOf(table, field)
  const value = item[field]
  if (column === undefined || value === undefined || value === null) throw new Refused(400, `an item without ${field}`)
  const text = stored(column, value)
  const found = findRow(run.before, table.name, [field], [text])
  const row = rowsOf(run.after, table.name).find(({ id }) => id === found?.id)
  if (row === undefined) {
    if (findRow(run.after, table.name, [field], [text]) !== undefined) run.open.add('one row is saved twice')
    return create(run, table, item)
  }
  update(run, table, row, item)
  return row
}

// targets

function targets(run: Run, table: Table, body: unknown, others: readonly string[]): Row[] {
  if (Array.isArray(body)) return byKeys(run, table, body)
  if (!isObject(body)) throw new Refused(400, 'neither keys nor query')
  for (const name of Object.keys(body))
    if (!['keys', 'query', 'all', ...others].includes(name)) throw new Refused(400, `${name} is not allowed`)
  const { keys, query, all } = body
  if ((keys === undefined) === (query === undefined && all === undefined))
    throw new Refused(400, 'neither keys nor query nor all, or two of them')
  if (keys === undefined) return byQuery(run, table, asPayload(query ?? {}), all)
  if (!Array.isArray(keys)) throw new Refused(400, 'keys is no list')
  return byKeys(run, table, keys)
}

const byKeys = (run: Run, table: Table, keys: readonly unknown[]): Row[] => [
  ...new Set(keys.map((key) => mustExist(run, table, keyParts(key, table)))),
]

/** The rows that meet a condition, or with `all` every row. */
function byQuery(run: Run, table: Table, { filter: given, sort, limit }: Payload, all: unknown): Row[] {
  const filter = asPayload(given ?? {})
  const named = [...namedIn(filter), ...(Array.isArray(sort) ? sort.map(String) : [])]
  if (all !== undefined && all !== true) throw new Refused(400, 'all is not true')
  if ((all === true) !== isUnconditional(filter)) throw new Refused(400, 'a condition or all, and not both')
  run.guard.query(run, table, named)
  const rows = rowsOf(run.after, table.name).filter((row) => {
    const valueIn = (name: string) => (run.guard.shows(run, table, row, name) ? valueOf(row, name) : null)
    return run.guard.sees(run, table, row) && meets(filter, table, valueIn)
  })
  const [key] = table.key
  const isNumber = columnOf(table, key ?? '')?.type === 'integer'
  const sorted = rows.toSorted((a, b) => {
    const [x, y] = [a, b].map((row) => textOf(row, key ?? '')) as [string, string]
    return isNumber ? Number(x) - Number(y) : x < y ? -1 : 1
  })
  return typeof limit === 'number' ? sorted.slice(0, limit) : sorted
}

function textOf(row: Row, name: string): string {
  const value = valueOf(row, name)
  return typeof value === 'string' ? value : ''
}
