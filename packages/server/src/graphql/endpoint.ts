import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Actor } from '../access/actor.ts'
import type { GraphqlConfig } from '../config/graphql.ts'
import type { Origin } from '../changes/change.ts'
import type { Engine } from '../engine/engine.ts'
import { isExactNumber } from '../lib/exact-json.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import { needsSocket, noSubscriptions, operationOf, parseDocument, refused } from './request/document.ts'
import { execute, type Answer, type Execution } from './request/execute.ts'
import { explain } from './request/explain.ts'
import { limitsOf } from './request/limits.ts'
import type { Names, Scope } from './schema/names.ts'
import { createPersisted } from './request/persisted.ts'
import { inTurns } from './request/chunked-response.ts'
import type { ProcedureServices, Visitor } from './procedures/root-procedure.ts'
import { createSchemas } from './schema/schemas.ts'
import { sdlPieces } from './request/sdl.ts'
import { subscribe, type ChangeResults, type Listener } from './request/subscribe.ts'

/** A request, independent of its transport. */
export interface GraphqlCall {
  readonly scope: Scope
  /** Only reads are allowed, because a GET request may be repeated by any intermediary. */
  readonly isSafe: boolean
  /** Whether an administrator views as another user. */
  readonly isViewed: boolean
  readonly query: unknown
  readonly variables: unknown
  readonly operationName: unknown
  readonly extensions: unknown
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  /** Asks for the plans of the reads in place of their rows. */
  readonly isExplained: boolean
  readonly signal: AbortFlag
}

/** The response as one text, or in chunks if it is long. */
export type GraphqlReply = string | AsyncIterable<string>

/** What an operation of a connection gives: one response, or results until the consumer returns. */
export type GraphqlAnswer =
  | { readonly kind: 'reply'; readonly reply: GraphqlReply }
  | { readonly kind: 'changes'; readonly changes: ChangeResults }

export interface Graphql {
  readonly run: (call: GraphqlCall) => Promise<GraphqlReply>
  /** The same for connections, which subscribe too. */
  readonly open: (call: GraphqlCall, listener: Listener) => Promise<GraphqlAnswer>
  /** Builds the names of the current schema. Returns the collections whose GraphQL name differs from their own. */
  readonly prepare: () => readonly { readonly collection: string; readonly name: string }[]
  /** The SDL of everything the caller may access. */
  readonly sdl: (scope: Scope, actor: Actor) => Promise<AsyncIterable<string>>
}

export interface GraphqlOptions {
  readonly config: GraphqlConfig
  readonly limits: QueryLimits
  readonly responseSize: number
  /** Whether the schema of items has subscriptions. */
  readonly hasSubscriptions: boolean
  readonly services: ProcedureServices
  readonly onUnexpected: (error: unknown) => void
}

const PARSED = 500
/** Total characters of cached documents; a parsed document takes about eighty times the size of its text. */
const PARSED_TEXT = 1024 ** 2
const KEPT_LENGTH = 16_384

const textLength = (_: DocumentNode, text: string) => Math.max(text.length, 1)

export function createGraphql(options: GraphqlOptions): Graphql {
  const { config, limits, responseSize, hasSubscriptions, services, onUnexpected } = options
  const { engine } = services
  const { graphqlIntrospection: hasIntrospection } = config
  const schemas = createSchemas({
    hasIntrospection,
    hasSubscriptions,
    size: config.graphqlSchemas,
    systemCollections: services.system.systemCollections,
  })
  const persisted = createPersisted(config)
  const parseOnce = createParseOnce(config)

  async function sdl(scope: Scope, caller: Actor): Promise<AsyncIterable<string>> {
    if (!hasIntrospection) throw new ServiceError('FORBIDDEN')
    const actor = await engine.renew(caller)
    return inTurns(sdlPieces(schemas.fresh(scope, actor, engine.schema())))
  }

  const withOperation: WithOperation = async (call, run) => {
    const { extensions } = call
    const text = persisted.textOf(call.query, extensions)
    const operationName = operationNameOf(call.operationName)
    const variables = variablesOf(call.variables)
    const parsedText = parseOnce(text)
    if (!hasSubscriptions) refuseSubscriptions(parsedText, call.scope)
    return underNewest(engine, call.actor, async (actor) => {
      if (call.isExplained && !actor.isAdmin) throw forbidden()
      const { ready, ...own } = schemas.get(call.scope, actor, engine.schema())
      const document = own.validated(text, () => parsedText)
      persisted.keep(text, extensions)
      const operation = operationOf(document, operationName)
      checkReads(operation, call)
      const key = actor.lacksSecondFactor ? null : readyKey(text, operationName ?? '', variables)
      return run({
        ...own,
        document,
        ready: key === null ? null : { get: () => ready.get(key), set: (query) => void ready.set(key, query) },
        operation,
        variables,
        limits,
        responseSize,
        actor,
        origin: call.origin,
        visitor: call.visitor,
        isDryRun: call.isDryRun,
        services,
        signal: call.signal,
        freshSchema: async () => schemas.fresh(call.scope, await engine.renew(actor), engine.schema()),
        onUnexpected,
      })
    })
  }

  return {
    ...createCalls(withOperation),
    prepare: () => changedNames(schemas.names(engine.schema())),
    sdl,
  }
}

/** Hands an operation over, once it is known to be valid. */
type WithOperation = <T extends Refusable>(call: GraphqlCall, run: (execution: Execution) => Promise<T>) => Promise<T>

const createCalls = (withOperation: WithOperation): Pick<Graphql, 'run' | 'open'> => ({
  run: async (call) => {
    const run = call.isExplained ? explain : execute
    const { pieces } = await withOperation(call, async (execution) => {
      if (isSubscription(execution.operation)) throw needsSocket()
      return run(execution)
    })
    return replyOf(pieces)
  },
  open: (call, listener) =>
    withOperation<GraphqlAnswer & Refusable>(call, async (execution) => {
      if (isSubscription(execution.operation))
        return { kind: 'changes', changes: await subscribe(execution, listener), isRefused: false }
      const { pieces, isRefused } = await execute(execution)
      return { kind: 'reply', reply: replyOf(pieces), isRefused }
    }),
})

const replyOf = (pieces: Answer['pieces']): GraphqlReply => (typeof pieces === 'string' ? pieces : inTurns(pieces))

const isSubscription = ({ operation }: OperationDefinitionNode) => operation === OperationTypeNode.SUBSCRIPTION

function refuseSubscriptions({ definitions }: DocumentNode, scope: Scope): void {
  const isAsked = definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION && isSubscription(each))
  if (isAsked && scope === 'items') throw noSubscriptions()
}

function changedNames(names: Names): Names['changed'] {
  names.roots('items').queries()
  return names.changed
}

/** Parses a document, or returns the one that was parsed before. */
function createParseOnce(config: GraphqlConfig): (text: string) => DocumentNode {
  const limits = limitsOf(config)
  const parsed = new LRUCache<string, DocumentNode>({ max: PARSED, maxSize: PARSED_TEXT, sizeCalculation: textLength })
  return (text) => {
    const known = parsed.get(text)
    if (known !== undefined) return known
    const document = parseDocument(text, limits)
    if (text.length <= KEPT_LENGTH) parsed.set(text, document)
    return document
  }
}

type Refusable = Pick<Answer, 'isRefused'>

/**
 * Retries a refused request under the newest schema and permissions. The retry is safe: work that throws has run
 * nothing yet, and a refused answer has changed nothing.
 */
async function underNewest<T extends Refusable>(
  engine: Engine,
  caller: Actor,
  work: (actor: Actor) => Promise<T>,
): Promise<T> {
  const schema = engine.schema()
  const first = await work(caller).catch((error: unknown) => {
    if (error instanceof ServiceError) return error
    throw error
  })
  if (!(first instanceof ServiceError) && !first.isRefused) return first
  const actor = await engine.renew(caller)
  if (actor !== caller || engine.schema() !== schema) return work(actor)
  if (first instanceof ServiceError) throw first
  return first
}

function operationNameOf(given: unknown): string | null {
  if (given === undefined || given === null) return null
  if (typeof given !== 'string') throw invalidPayload('"operationName" has to be text')
  return given
}

/** A change that is sent as a read would be a surprise. */
function checkReads(operation: OperationDefinitionNode, { isViewed, isSafe }: GraphqlCall): void {
  if (isViewed) checkViewed(operation)
  if (isSafe) checkSafe(operation)
}

function checkViewed({ operation }: OperationDefinitionNode): void {
  if (operation === OperationTypeNode.QUERY) return
  throw new ServiceError('UNPROCESSABLE_CONTENT', 'Requests with X-View-As can only read.')
}

function checkSafe({ operation }: OperationDefinitionNode): void {
  if (operation !== OperationTypeNode.MUTATION) return
  const details = { allowed: ['POST'], current: 'GET' }
  throw new ServiceError('METHOD_NOT_ALLOWED', 'Changes have to be sent with POST.', details)
}

/** null: too long to be cached. */
function readyKey(text: string, operation: string, variables: Readonly<Record<string, unknown>>): string | null {
  const key = `${operation}\u0000${JSON.stringify(variables)}\u0000${text}`
  return key.length <= KEPT_LENGTH ? key : null
}

function variablesOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) throw invalidQuery('"variables" has to be an object')
  return bare(given, 0) as Readonly<Record<string, unknown>>
}

/** The same nesting limit as for brackets in a document. */
const DEEPEST = 250

/**
 * Copies without prototypes: a field may have the name of an inherited property, and the library looks fields up by
 * name.
 */
function bare(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
  if (depth > DEEPEST) throw refused([new Error(`Variables may nest at most ${DEEPEST} levels deep.`)])
  if (Array.isArray(value)) return value.map((entry) => bare(entry, depth + 1))
  const object = Object.create(null) as Record<string, unknown>
  for (const [name, inner] of Object.entries(value)) object[name] = bare(inner, depth + 1)
  return object
}
