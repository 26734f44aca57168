import { invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import { OperationTypeNode, type DocumentNode } from 'graphql'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Actor } from '../access/actor.ts'
import type { GraphqlConfig } from '../config/graphql.ts'
import type { Origin } from '../engine/write/record.ts'
import { isExactNumber } from '../lib/exact-json.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import { operationOf, parseDocument, refused } from './document.ts'
import { execute, type Answer } from './execute.ts'
import { limitsOf } from './limits.ts'
import type { Scope } from './names.ts'
import { createPersisted } from './persisted.ts'
import { inTurns } from './chunked-response.ts'
import type { ProcedureServices, Visitor } from './root-procedure.ts'
import { createSchemas } from './schemas.ts'
import { sdlPieces } from './sdl.ts'

/** A request, independent of its transport. */
export interface GraphqlCall {
  readonly scope: Scope
  /** Only reads are allowed, because a GET request may be repeated by any intermediary. */
  readonly isSafe: boolean
  readonly query: unknown
  readonly variables: unknown
  readonly operationName: unknown
  readonly extensions: unknown
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly signal: AbortFlag
}

/** The response as one text, or in chunks if it is long. */
export type GraphqlReply = string | AsyncIterable<string>

export interface Graphql {
  readonly run: (call: GraphqlCall) => Promise<GraphqlReply>
  /** Builds the names of the current schema. Returns the collections whose GraphQL name differs from their own. */
  readonly prepare: () => readonly { readonly collection: string; readonly name: string }[]
  /** The SDL of everything the caller may access. */
  readonly sdl: (scope: Scope, actor: Actor) => Promise<AsyncIterable<string>>
}

export interface GraphqlOptions {
  readonly config: GraphqlConfig
  readonly limits: QueryLimits
  readonly responseSize: number
  readonly services: ProcedureServices
  readonly onUnexpected: (error: unknown) => void
}

const PARSED = 500
/** Total characters of cached documents; a parsed document takes about eighty times the size of its text. */
const PARSED_TEXT = 1024 ** 2
const KEPT_LENGTH = 16_384

const textLength = (_: DocumentNode, text: string) => Math.max(text.length, 1)

export function createGraphql(options: GraphqlOptions): Graphql {
  const { config, limits, responseSize, services, onUnexpected } = options
  const { engine } = services
  const { graphqlIntrospection: hasIntrospection } = config
  const documentLimits = limitsOf(config)
  const schemas = createSchemas({
    hasIntrospection,
    size: config.graphqlSchemas,
    systemCollections: services.system.systemCollections,
  })
  const persisted = createPersisted(config)
  const parsed = new LRUCache<string, DocumentNode>({ max: PARSED, maxSize: PARSED_TEXT, sizeCalculation: textLength })

  const parseOnce = (text: string): DocumentNode => {
    const known = parsed.get(text)
    if (known !== undefined) return known
    const document = parseDocument(text, documentLimits)
    if (text.length <= KEPT_LENGTH) parsed.set(text, document)
    return document
  }

  /**
   * Retries a refused request under the newest schema and permissions. The retry is safe: work that throws has run
   * nothing yet, and a refused answer has changed nothing.
   */
  async function underNewest(caller: Actor, work: (actor: Actor) => Promise<Answer>): Promise<Answer> {
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

  async function sdl(scope: Scope, caller: Actor): Promise<AsyncIterable<string>> {
    if (!hasIntrospection) throw new ServiceError('FORBIDDEN')
    const actor = await engine.renew(caller)
    return inTurns(sdlPieces(schemas.fresh(scope, actor, engine.schema())))
  }

  return {
    async run(call) {
      const { scope, isSafe } = call
      const { extensions, operationName } = call
      const text = persisted.textOf(call.query, extensions)
      if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
        throw invalidPayload('"operationName" has to be text')
      const variables = variablesOf(call.variables)
      const parsedText = parseOnce(text)
      const { pieces } = await underNewest(call.actor, async (actor) => {
        const { ready, ...own } = schemas.get(scope, actor, engine.schema())
        const document = own.validated(text, () => parsedText)
        persisted.keep(text, extensions)
        const operation = operationOf(document, operationName ?? null)
        if (isSafe && operation.operation !== OperationTypeNode.QUERY)
          throw new ServiceError('METHOD_NOT_ALLOWED', 'Changes have to be sent with POST.', {
            allowed: ['POST'],
            current: 'GET',
          })
        const key = actor.lacksSecondFactor ? null : readyKey(text, operationName ?? '', variables)
        return execute({
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
          freshSchema: async () => schemas.fresh(scope, await engine.renew(actor), engine.schema()),
          sdl: async (asked) => textOf(await sdl(asked, actor)),
          onUnexpected,
        })
      })
      return typeof pieces === 'string' ? pieces : inTurns(pieces)
    },
    prepare: () => {
      const names = schemas.names(engine.schema())
      names.roots('items').queries()
      return names.changed
    },
    sdl,
  }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
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
