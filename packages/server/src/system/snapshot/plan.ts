import { ServiceError, type SnapshotField } from '@tain/contract'
import { nothing, together, type Catalogue, type Change, type SchemaChange } from '../../schema/change.ts'
import { remove } from '../field-removal.ts'
import { storeAll } from './plan-metadata.ts'
import {
  byCollection,
  byField,
  tableDiffOf,
  fieldName,
  isTable,
  tableOf,
  type TableDiff,
  type PlanOptions,
  type Sides,
} from './table-diff.ts'
import { alterColumn, definitionOf, extrasFor, type ColumnChanges } from './plan-column.ts'
import { keyChanges } from './plan-keys.ts'
import { createNames } from './names.ts'

/** Removals use the same code as the removal of a single field or collection. */
function removalOf({ schema, current }: Sides, { lost, dropped, folders }: TableDiff): Change {
  const fields = [...dropped.values()].map(({ collection, field }) => ({ collection, field }))
  const known = new Set(current.collections.map(({ collection }) => collection))
  const collections = [...lost, ...folders].filter((name) => known.has(name))
  return fields.length + collections.length === 0
    ? { ddl: [], metadata: [], gone: null }
    : remove({ fields, collections }, schema)
}

/** Tables and columns that contain data are only dropped on explicit request. */
async function emptiness(
  { schema, current }: Sides,
  { lost, dropped }: TableDiff,
  names: ReturnType<typeof createNames>,
): Promise<SchemaChange[]> {
  const tables = byCollection(current.collections)
  const checks: SchemaChange[] = []
  for (const name of lost) {
    const table = tableOf(tables.get(name) ?? missing(name), schema)
    checks.push({ kind: 'check-empty', table, column: null, name: await names.free(table, 'rows', 'empty') })
  }
  for (const { collection, field, schema: column } of dropped.values()) {
    if (column === undefined) continue
    const table = tableOf(tables.get(collection) ?? missing(collection), schema)
    checks.push({ kind: 'check-empty', table, column: field, name: await names.free(table, field, 'empty') })
  }
  return checks
}

const missing = (name: string): never => {
  throw new ServiceError('UNPROCESSABLE_CONTENT', `There is no collection "${name}".`)
}

/** Key columns first, then by sort position, then by name. */
function inTableOrder(fields: readonly SnapshotField[], key: readonly string[]): SnapshotField[] {
  const place = ({ field, meta }: SnapshotField): number => {
    const inKey = key.indexOf(field)
    if (inKey !== -1) return inKey - key.length
    const { sort } = meta ?? {}
    return typeof sort === 'number' ? sort : Number.MAX_SAFE_INTEGER
  }
  return fields.toSorted((a, b) => place(a) - place(b))
}

interface Steps {
  readonly sides: Sides
  readonly tableDiff: TableDiff
  readonly catalogue: Catalogue
  readonly names: ReturnType<typeof createNames>
  readonly problem: (why: string) => void
}

async function creations({
  sides: { schema, wanted },
  tableDiff,
  catalogue,
  names,
  problem,
}: Steps): Promise<SchemaChange[]> {
  const changes: SchemaChange[] = []
  for (const each of wanted.collections) {
    if (!tableDiff.made.has(each.collection) || each.schema === null) continue
    const table = tableOf(each, schema)
    const { primary_key: key, comment } = each.schema
    const fields = inTableOrder(
      wanted.fields.filter((field) => field.collection === each.collection && field.schema !== undefined),
      key,
    )
    const columns = fields.flatMap((field) => definitionOf(field, catalogue, problem) ?? [])
    changes.push({ kind: 'create-table', table, columns, key })
    if (comment !== null) changes.push({ kind: 'comment-table', table, comment })
    for (const field of fields)
      changes.push(...(await extrasFor(field, table, key.length === 1 && key[0] === field.field, names)))
  }
  return changes
}

async function additions(steps: Steps): Promise<{ columns: SchemaChange[]; extras: SchemaChange[] }> {
  const { sides, tableDiff, catalogue, names, problem } = steps
  const tables = byCollection(sides.wanted.collections)
  const columns: SchemaChange[] = []
  const extras: SchemaChange[] = []
  for (const field of tableDiff.added.values()) {
    const table = tableOf(tables.get(field.collection) ?? missing(field.collection), sides.schema)
    const column = definitionOf(field, catalogue, problem)
    if (column === null) continue
    columns.push({ kind: 'add-column', table, column })
    extras.push(...(await extrasFor(field, table, false, names)))
  }
  return { columns, extras }
}

async function alterations({ sides, tableDiff, ...rest }: Steps): Promise<ColumnChanges> {
  const tables = byCollection(sides.wanted.collections)
  const before = byField(sides.current.fields)
  const all: ColumnChanges[] = []
  for (const wanted of sides.wanted.fields) {
    const name = fieldName(wanted.collection, wanted.field)
    const held = sides.schema.collections.get(wanted.collection)
    const column = held?.columns.get(wanted.field)
    const current = before.get(name)
    if (held === undefined || column === undefined || current === undefined || !isTable(held.kind)) continue
    if (tableDiff.lost.has(wanted.collection) || tableDiff.dropped.has(name)) continue
    const table = tableOf(tables.get(wanted.collection) ?? missing(wanted.collection), sides.schema)
    all.push(await alterColumn({ table, held: column, current, wanted, ...rest }))
  }
  return {
    before: all.flatMap((each) => each.before),
    during: all.flatMap((each) => each.during),
    after: all.flatMap((each) => each.after),
  }
}

function comments({ sides: { schema, current, wanted }, tableDiff }: Steps): SchemaChange[] {
  const before = byCollection(current.collections)
  return wanted.collections.flatMap((each): SchemaChange[] => {
    const held = before.get(each.collection)?.schema
    if (each.schema === null || held == null || !isTable(held.kind) || tableDiff.lost.has(each.collection)) return []
    return held.comment === each.schema.comment
      ? []
      : [{ kind: 'comment-table', table: tableOf(each, schema), comment: each.schema.comment }]
  })
}

const identityOf = (change: SchemaChange) =>
  change.kind === 'drop-constraint' ? JSON.stringify([change.table, change.name]) : null

/** The same constraint may block two changes. */
function once(changes: readonly SchemaChange[]): SchemaChange[] {
  const seen = new Set<string>()
  return changes.filter((change) => {
    const identity = identityOf(change)
    return identity === null || seen.size < seen.add(identity).size
  })
}

/** Plans the change from one schema to the other as one change. All obstacles are reported at once. */
export async function planChange(sides: Sides, catalogue: Catalogue, options: PlanOptions): Promise<Change> {
  const problems: string[] = []
  const problem = (why: string): void => {
    problems.push(why)
  }
  const tableDiff = tableDiffOf(sides, problem, options)
  const made = sides.wanted.collections.filter(({ collection }) => tableDiff.made.has(collection))
  const names = createNames(
    catalogue,
    made.map((each) => tableOf(each, sides.schema)),
  )
  const steps: Steps = { sides, tableDiff, catalogue, names, problem }
  const removal = removalOf(sides, tableDiff)
  const keys = await keyChanges(sides, tableDiff, names, problem)
  const altered = await alterations(steps)
  const added = await additions(steps)
  const created = await creations(steps)
  if (problems.length > 0)
    throw new ServiceError('UNPROCESSABLE_CONTENT', `This cannot be done here: ${problems.join('; ')}.`, {
      reasons: problems,
    })
  const ddl = once([
    ...(options.mayLose ? [] : await emptiness(sides, tableDiff, names)),
    ...keys.drops,
    ...removal.ddl.filter(({ kind }) => kind === 'drop-constraint'),
    ...altered.before,
    ...removal.ddl.filter(({ kind }) => kind !== 'drop-constraint'),
    ...created,
    ...comments(steps),
    ...added.columns,
    ...altered.during,
    ...added.extras,
    ...altered.after,
    ...keys.adds,
  ])
  const metadata = storeAll(sides, removal.metadata)
  return together([
    { ...removal, ddl },
    { ...nothing, metadata },
  ])
}
