import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/actor.ts'
import { authorizeRead } from '../../access/authorize-read.ts'
import { authorizeCollection } from '../../access/authorize-write.ts'
import { visibilityOf } from '../../access/grants.ts'
import { between } from '../../lib/failpoint.ts'
import { isRuleConstant, type Parameter } from '../../lib/parameter.ts'
import { bindQuery } from '../../query/bind.ts'
import { createSpend } from '../../query/cost.ts'
import type { Mutation } from '../../query/mutation.ts'
import type { Schema } from '../../schema/schema.ts'
import { typed } from '../../schema/typed-column.ts'
import { bindValues, type Compiled } from '../../sql/compile.ts'
import type { Driver, Row } from '../../sql/driver.ts'
import { isCurrent, versionsOf } from '../../store/versions.ts'
import { tableOf } from '../columns.ts'
import { hasChildren } from '../plan-node.ts'
import { PRESENT, VERSION, planRead } from '../plan-read.ts'
import { compileRow, type WriteRow } from '../serialize.ts'
import { writeContext } from './context.ts'
import type { Watch } from './guards.ts'
import { planFlat } from './insert-flat.ts'
import { isOpen, type InsertPlan } from './insert-plan.ts'
import { planTree } from './insert-tree.ts'
import type { WriteServices } from './request.ts'
import type { WriteReply, WriteRequest } from './write-request.ts'
import { rootOf } from './root.ts'
import { skipped } from './skipped.ts'

interface CreateStatement {
  readonly name: string
  readonly compiled: Compiled
  readonly write: WriteRow
}

export type SingleStatementCreate = (
  request: WriteRequest,
  actor: Actor,
  schema: Schema,
) => Promise<WriteReply | 'outdated' | null>

/** Maximum number of characters of all cached statements. */
const MOST_TEXT = 8 * 1024 ** 2

/** Guarded collections are never written here. */
const nothing = async () => undefined
const unwatched: Watch = {
  clean: (_, value) => value,
  prepare: nothing,
  before: nothing,
  remove: nothing,
  after: async (changes) => changes,
  revealed: () => null,
  finish: async () => null,
}

/** A create with the query for its response. */
interface Create extends WriteRequest {
  readonly mutation: Extract<Mutation, { kind: 'create' }>
  readonly read: NonNullable<WriteRequest['read']>
}

/**
 * Creates rows, including nested ones, with one statement that is also the transaction: no round trip waits for the key
 * of another row. Returns null without any effect if the payload needs more than inserts, or the response more than the
 * rows themselves.
 */
export function createSingleStatementCreate(services: WriteServices, driver: Driver): SingleStatementCreate {
  const cache = new LRUCache<string, CreateStatement>({
    max: 500,
    maxSize: MOST_TEXT,
    sizeCalculation: ({ compiled }, key) => key.length + compiled.text.length,
  })
  let count = 0

  return async (request, actor, schema) => {
    if (!isCreate(request, services)) return null
    const { mutation, read } = request
    const plan = planInserts(mutation, actor, schema, services)
    if (plan === null) return null
    const key = `${schema.generation} ${actor.grantKey} ${plan.root} ${plan.shape} ${read.queryKey}`
    let statement = cache.get(key)
    if (statement === undefined) {
      const built = buildStatement(plan, request, actor, schema, services)
      if (built === null) return null
      count += 1
      statement = { name: `q${count}`, ...built }
      cache.set(key, statement)
    }
    const { name, compiled, write } = statement
    const values = bindValues(compiled.binds, valuesOf(plan.sets, request, actor, schema))
    const rows = await between(
      services.failpoints,
      'write.before-single-statement-create',
      'write.after-single-statement-create',
      () => driver.execute({ name, text: compiled.text, values }),
    ).finally(() =>
      services.onWritten(
        plan.inserts.map(({ collection }) => collection),
        schema,
      ),
    )
    return replyOf(rows, write, schema, actor, mutation.items.length)
  }
}

const isCreate = (request: WriteRequest, { statements, maxBatch }: WriteServices): request is Create =>
  statements.dialect.bulk.insertTree !== null &&
  request.mutation.kind === 'create' &&
  request.mutation.items.length > 0 &&
  request.mutation.items.length <= maxBatch &&
  request.read !== null &&
  request.read.values.length === 0

function planInserts(
  mutation: Create['mutation'],
  actor: Actor,
  schema: Schema,
  services: WriteServices,
): InsertPlan | null {
  const collection = authorizeCollection(rootOf(mutation, schema, actor), 'create', actor)
  if (services.guarding.isGuarded(collection) || services.filters.isFiltered(collection) || !isOpen(collection, actor))
    return null
  const context = writeContext(schema, actor, services, unwatched)
  return planFlat(mutation.items, collection, context) ?? planTree(mutation.items, collection, context, actor, services)
}

/** null if a consumer of changes needs a transaction, or the response more than columns of the rows. */
function buildStatement(
  { inserts, root }: InsertPlan,
  { mutation, read }: Create,
  actor: Actor,
  schema: Schema,
  services: WriteServices,
): Omit<CreateStatement, 'name'> | null {
  const { dialect } = services.statements
  const records = inserts.map(({ collection }) => services.changeSink.inStatement(collection))
  if (dialect.bulk.insertTree === null || !records.every((record) => record !== 'transaction')) return null
  const bound = bindQuery(
    read.query,
    mutation.collection,
    schema,
    services.limitDefault,
    mutation.isSystem,
    visibilityOf(actor),
    createSpend(services.cost),
  )
  if (hasChildren(bound) || bound.filter !== null || bound.search !== null || bound.aggregate !== null) return null
  const version = dialect.versionTable(services.systemSchema)
  const plan = planRead(
    authorizeRead(bound, { actor, schema, fits: services.fits, grants: services.grants }),
    {
      by: 'written',
      wantsRowVersion: false,
      wantsKeys: false,
      meta: [],
      countUpTo: null,
      cursor: null,
      version,
      cut: read.query.cut ?? null,
    },
    dialect,
  )
  const statement = dialect.bulk.insertTree({
    inserts: inserts.map(({ collection, fields, taken }, index) => ({
      table: tableOf(collection),
      set: { columns: fields.filter(({ name }) => !taken.has(name)).map(typed), parameter: index },
      columns: fields.map(({ name }) => ({ name, taken: taken.get(name) ?? null })),
      record: records[index] ?? null,
    })),
    root,
    select: plan.statement,
    systemSchema: services.systemSchema,
    parameters: inserts.length,
  })
  return { compiled: dialect.compile(statement), write: compileRow(plan.cells) }
}

const valuesOf = (sets: readonly string[], { origin }: WriteRequest, actor: Actor, schema: Schema) => {
  const values = [...sets, versionsOf(schema, actor), actor.user ?? '', origin.ip ?? '', origin.userAgent ?? '']
  return (parameter: Parameter): string => (isRuleConstant(parameter) ? '' : (values[parameter] ?? ''))
}

/** The statement inserts rows only under the versions that the payload was bound to. */
function replyOf(
  rows: readonly Row[],
  write: WriteRow,
  schema: Schema,
  actor: Actor,
  expected: number,
): WriteReply | 'outdated' {
  if (!isCurrent(rows[0]?.[VERSION], schema, actor)) return 'outdated'
  const found = (rows[0]?.[PRESENT] ?? null) === null ? [] : rows
  if (found.length !== expected) throw skipped('insert')
  return { rows: found.map(write), rowVersion: null, isHidden: false }
}
