import { errorCodes, invalidQuery, ServiceError, ServiceErrors, type WireError } from '@tain/contract'
import {
  getVariableValues,
  GraphQLError,
  isNonNullType,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type OperationDefinitionNode,
} from 'graphql'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import type { Actor } from '../../access/actor.ts'
import { lackOfSecondFactor } from '../../auth/authenticate.ts'
import { faultToError, isDatabaseError, largerThan } from '../../engine/faults.ts'
import type { Origin } from '../../changes/change.ts'
import { createSpend, withoutLimit } from '../../query/cost.ts'
import type { QueryLimits } from '../../query/parse-query.ts'
import { collect, setsOf, type Reading } from './collect.ts'
import { refused, type Document } from './document.ts'
import { flagPlaces, withoutNumbers, type FlagPlaces } from './flags.ts'
import { schemaPieces } from './introspect.ts'
import { meaningOf, type Meaning } from '../schema/field-mapping.ts'
import type { ProcedureServices, Visitor } from '../procedures/root-procedure.ts'
import { openToAll, singleUse } from '../procedures/procedures.ts'
import { createProjection } from './write-result.ts'
import { prepareRead, runRead, type PreparedRead } from './reads.ts'
import type { LazySchema } from '../schema/schema.ts'
import { argumentsOf, selectionToQuery } from './selection-to-query.ts'
import type { Types } from '../schema/types.ts'
import { runMutation, type WriteContext } from './writes.ts'

/** The context in which an operation runs. */
export interface Execution {
  readonly schema: LazySchema
  readonly types: Types
  readonly document: Document
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly limits: QueryLimits
  /** Maximum characters of all root fields of a query together. */
  readonly responseSize: number
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly services: ProcedureServices
  readonly signal: AbortFlag | undefined
  /** Cache entry for this query with these variables; null: not cached. */
  readonly ready: { readonly get: () => ReadyQuery | undefined; readonly set: (ready: ReadyQuery) => void } | null
  /** A schema under the caller's newest permissions, built for one traversal and not cached. */
  readonly freshSchema: () => Promise<LazySchema>
  readonly onUnexpected: (error: unknown) => void
}

/** A prepared query: the engine read of each root field. */
export type ReadyQuery = readonly {
  readonly key: string
  readonly field: GraphQLField
  readonly node: FieldNode
  readonly flags: FlagPlaces | null
  readonly read: PreparedRead
}[]

/** JSON of a root field: a text, or an iterable of pieces if it is too long to build at once. */
type Written = string | Iterable<string>

interface Outcome {
  readonly key: string
  readonly field: GraphQLField
  readonly node: FieldNode
  readonly flags: FlagPlaces | null
  /** The engine read, if the field consists of nothing else. */
  readonly read: PreparedRead | null
  readonly written: Written | null
  readonly errors: readonly WireError[]
}

type Place = Pick<Outcome, 'key' | 'field' | 'node' | 'flags'>

/** The result of an operation. */
export interface Answer {
  readonly pieces: string | Iterable<string>
  /** Part of it is refused and nothing has changed. The refusal may rest on outdated permissions. */
  readonly isRefused: boolean
}

/**
 * Runs one operation: root fields of a query concurrently, those of a mutation in sequence. Throws before anything runs
 * if the operation cannot run at all.
 */
export async function execute(execution: Execution): Promise<Answer> {
  const { ready } = execution
  if (ready === null) return executeAnew(execution, null)
  const known = ready.get() ?? null
  if (known === null) return executeAnew(execution, ready.set)
  const { actor, signal, services, onUnexpected } = execution
  const hold = holdUpTo(execution.responseSize)
  const outcomes = await Promise.all(
    known.map(({ read, ...field }) =>
      settled(field, async () => hold(await runRead(read, { engine: services.engine, actor, signal })), onUnexpected),
    ),
  )
  return joined(outcomes, OperationTypeNode.QUERY)
}

/** An operation whose variables have values: its type, its root fields, and what they are run with. */
export interface Begun {
  readonly type: GraphQLObjectType
  readonly fields: readonly (readonly [key: string, nodes: readonly FieldNode[]])[]
  readonly context: WriteContext
}

/** Throws if the operation cannot run at all. */
export function begin(execution: Execution): Begun {
  const { schema, document, operation, variables } = execution
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 20 })
  if (coerced.errors !== undefined) throw refused(coerced.errors)
  const reading: Reading = { schema, fragments: document.fragments, variables: coerced.variableValues }
  const type = schema.getRootType(operation.operation)
  if (type === undefined || type === null) throw refused([new Error(`There is no ${operation.operation} to run.`)])
  const context = contextOf(execution, reading)
  const fields = [...collect(type, [operation.selectionSet], reading)]
  checkProcedures(
    fields.map(([, [node]]) => node?.name.value ?? ''),
    execution.actor,
  )
  return { type, fields, context }
}

async function executeAnew(execution: Execution, keep: ((ready: ReadyQuery) => void) | null): Promise<Answer> {
  const { operation } = execution
  const { type, fields, context } = begin(execution)
  const hold = holdUpTo(execution.responseSize)
  const run = (key: string, nodes: readonly FieldNode[]) => runField(key, nodes, type, context, execution, hold)
  const outcomes: Outcome[] = []
  if (operation.operation === OperationTypeNode.MUTATION)
    for (const [key, nodes] of fields) {
      const outcome = await run(key, nodes)
      outcomes.push(outcome)
      // The whole response is null already, so the caller would never see the results of later fields.
      if (isLost(outcome)) break
    }
  else outcomes.push(...(await Promise.all(fields.map(([key, nodes]) => run(key, nodes)))))
  const reads = outcomes.flatMap(({ key, field, node, flags, read }) =>
    read === null ? [] : [{ key, field, node, flags, read }],
  )
  if (keep !== null && reads.length === outcomes.length) keep(reads)
  return joined(outcomes, operation.operation)
}

/** Limits the combined size: root fields are separate statements, and each may be as large as a whole response. */
function holdUpTo(size: number): (text: string) => string {
  let left = size
  return (text) => {
    left -= text.length
    if (left < 0) throw invalidQuery(largerThan(size))
    return text
  }
}

/** Longer responses are sent in pieces. */
const JOINED_LENGTH = 16 * 1024 ** 2

function joined(outcomes: readonly Outcome[], operation: OperationTypeNode): Answer {
  const pieces = answer(outcomes)
  let length = 0
  for (const { written } of outcomes)
    if (written !== null) length += typeof written === 'string' ? written.length : Infinity
  const isShort = length <= JOINED_LENGTH
  const isUnchanged = operation === OperationTypeNode.QUERY || outcomes.every(hasChangedNothing)
  const isRefused = isUnchanged && outcomes.some(({ errors }) => errors.some(isRefusal))
  if (!isShort) return { pieces, isRefused }
  // Concatenated strings are copied only once, when they are sent.
  let text = ''
  for (const piece of pieces) text += piece
  return { pieces: text, isRefused }
}

/** A failed procedure may still have recorded the attempt. */
const hasChangedNothing = ({ written, field }: Outcome) => written === null && meaningOf(field)?.kind === 'mutation'

/** Errors that depend on the caller and its permissions. */
const isRefusal = ({ extensions: { code } }: WireError) => [401, 403].includes(errorCodes[code].status)

/** Fields that try secrets may appear once. Callers without a required second factor have to set it up first. */
function checkProcedures(names: readonly string[], { lacksSecondFactor }: Actor): void {
  const repeated = names.find((name, index) => singleUse.has(name) && names.indexOf(name) !== index)
  if (repeated !== undefined) throw refused([new Error(`"${repeated}" may stand once in an operation.`)])
  if (lacksSecondFactor && !names.every((name) => openToAll.has(name))) throw lackOfSecondFactor()
}

const isLost = ({ written, field }: Outcome) => written === null && isNonNullType(field.type)

function contextOf(execution: Execution, reading: Reading): WriteContext {
  const { types, limits, actor, origin, isDryRun, services, signal } = execution
  const spend = limits.cost === undefined ? withoutLimit : createSpend(limits.cost)
  const projection = createProjection(reading)
  return { ...reading, types, limits, spend, actor, origin, isDryRun, engine: services.engine, signal, projection }
}

async function runField(
  key: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  context: WriteContext,
  execution: Execution,
  hold: (text: string) => string,
): Promise<Outcome> {
  const [node] = nodes
  if (node === undefined) throw new TypeError('a root field has a node')
  const field = execution.schema.getField(type, node.name.value)
  if (field === undefined) throw new TypeError('validation has let an unknown field through')
  const meaning = meaningOf(field)
  const flags = flagPlaces(field.type, nodes, context, context.types.visibility.schema)
  const place = { key, field, node, flags }
  if (meaning?.kind === 'query') return readField(place, meaning, nodes, context, execution, hold)
  return settled(place, () => write(field, nodes, type, context, execution), execution.onUnexpected)
}

async function readField(
  place: Place,
  meaning: Extract<Meaning, { kind: 'query' }>,
  nodes: readonly FieldNode[],
  context: WriteContext,
  { onUnexpected }: Execution,
  hold: (text: string) => string,
): Promise<Outcome> {
  let read: PreparedRead
  try {
    read = prepareRead(meaning, place.field, nodes, context)
  } catch (error) {
    return { ...place, read: null, written: null, errors: wireErrors(error, onUnexpected) }
  }
  return { ...(await settled(place, async () => hold(await runRead(read, context)), onUnexpected)), read }
}

async function settled(
  place: Place,
  work: () => Promise<Written>,
  onUnexpected: (error: unknown) => void,
): Promise<Outcome> {
  try {
    const written = await work()
    if (place.flags === null || typeof written !== 'string') return { ...place, read: null, written, errors: [] }
    const { text, errors } = withoutNumbers(written, place.flags, place.key)
    return { ...place, read: null, written: text, errors }
  } catch (error) {
    return { ...place, read: null, written: null, errors: wireErrors(error, onUnexpected) }
  }
}

async function write(
  field: GraphQLField,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  context: WriteContext,
  execution: Execution,
): Promise<Written> {
  const [node] = nodes
  if (node === undefined) throw new TypeError('a root field has a node')
  const meaning = meaningOf(field)
  switch (meaning?.kind) {
    case 'mutation':
      return runMutation(meaning, field, nodes, context)
    case 'procedure': {
      const { actor, origin, visitor, isDryRun, services } = execution
      const { item } = meaning
      const args = argumentsOf(field, node, context)
      const shape = () => {
        if (item === null) throw new TypeError('a procedure without items has no shape')
        return selectionToQuery({}, setsOf(nodes), item, context)
      }
      const answered = await meaning.resolve({ args, actor, origin, visitor, isDryRun, services, shape })
      return 'json' in answered ? answered.json : context.projection.text(answered.value, field.type, nodes)
    }
    default:
      return introspected(field, nodes, type, context, execution)
  }
}

async function introspected(
  field: GraphQLField,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  context: WriteContext,
  { freshSchema }: Execution,
): Promise<Written> {
  const [node] = nodes
  if (node?.name.value === '__typename') return JSON.stringify(type.name)
  if (field === SchemaMetaFieldDef) return schemaPieces(await freshSchema(), nodes, context, context.projection)
  if (field === TypeMetaFieldDef && node !== undefined) {
    const { name } = argumentsOf(field, node, context)
    return context.projection.text((await freshSchema()).getType(String(name)), field.type, nodes)
  }
  return 'null'
}

// errors

const unexpected = (): ServiceError => new ServiceError('INTERNAL_SERVER_ERROR')

function wireErrors(error: unknown, onUnexpected: (error: unknown) => void): readonly WireError[] {
  if (error instanceof ServiceErrors) return error.errors.map((each) => each.toWire())
  if (error instanceof ServiceError) {
    if (error.code === 'INTERNAL_SERVER_ERROR') onUnexpected(error.cause ?? error)
    return [error.toWire()]
  }
  if (error instanceof GraphQLError) return [new ServiceError('GRAPHQL_VALIDATION', error.message).toWire()]
  if (isDatabaseError(error)) return [faultToError(error, false).toWire()]
  onUnexpected(error)
  return [unexpected().toWire()]
}

const located = (error: WireError, { key, node }: Outcome) => ({
  ...(node.loc === undefined
    ? {}
    : { locations: [{ line: node.loc.startToken.line, column: node.loc.startToken.column }] }),
  path: [key],
  ...error,
})

/** The response in pieces. A non-null field that is null makes the whole of `data` null. */
function* answer(outcomes: readonly Outcome[]): Generator<string> {
  const errors = outcomes.flatMap((outcome) => outcome.errors.map((error) => located(error, outcome)))
  const isNothing = outcomes.some(isLost)
  yield errors.length === 0 ? '{"data":' : `{"errors":${JSON.stringify(errors)},"data":`
  if (isNothing) {
    yield 'null}'
    return
  }
  let separator = '{'
  for (const { key, written } of outcomes) {
    yield `${separator}${JSON.stringify(key)}:`
    separator = ','
    if (typeof written === 'string') yield written
    else if (written === null) yield 'null'
    else yield* written
  }
  yield separator === '{' ? '{}}' : '}}'
}
