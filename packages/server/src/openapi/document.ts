import { createHash } from 'node:crypto'
import { invalidQuery, procedures as table, type ProcedureRow } from '@tain/contract'
import {
  collections as systemCollections,
  files,
  type SystemCollection,
  type SystemCollectionName,
} from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import { createCallerDocuments, gather, type CallerDocument } from '../description/caller-documents.ts'
import { namesOf } from '../description/names.ts'
import type { Engine } from '../engine/engine.ts'
import type { ServedProcedures } from '../procedure.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { ReadOpenApi } from '../system/procedures/specifications.ts'
import { security, sharedComponents } from './components.ts'
import {
  describeCollection,
  itemOperationNames,
  type CollectionAddress,
  type CollectionPart,
  type PathItem,
} from './item-operations.ts'
import { procedurePaths } from './procedure-operations.ts'
import { describedFor, type Described } from './row-schemas.ts'
import { assetPaths, uploadPaths, withUploads } from './file-operations.ts'
import type { SchemaObject } from './schema-object.ts'
import { systemOperationNames } from './system-operations.ts'

export const openApiVersions = ['3.1', '3.2'] as const
type OpenApiVersion = (typeof openApiVersions)[number]

export interface OpenApiOptions {
  readonly engine: Engine
  readonly procedures: () => ServedProcedures
  readonly publicUrl: string | null
  readonly sessionCookie: string
  readonly hasResumable: boolean
}

export function createOpenApi(options: OpenApiOptions): ReadOpenApi {
  const documents = createCallerDocuments(options.engine, (actor, schema, version: OpenApiVersion) =>
    build(actor, schema, version, options),
  )
  return async (caller, wanted) => {
    const version = openApiVersions.find((known) => known === (wanted ?? '3.1'))
    if (version === undefined) throw invalidQuery(`"openapi" has to be one of ${openApiVersions.join(', ')}`)
    return documents(caller, version)
  }
}

async function build(
  actor: Actor,
  schema: Schema,
  version: OpenApiVersion,
  options: OpenApiOptions,
): Promise<CallerDocument> {
  const described = describedFor(actor, schema, namesOf(schema))
  const { pieces, digest: whole } = await gather(bodyPieces(described, version, options))
  const digest = whole.slice(0, 16)
  const head = {
    openapi: version === '3.1' ? '3.1.1' : '3.2.0',
    info: { title: 'Data service', version: digest },
    servers: [{ url: options.publicUrl ?? '/' }],
    security,
  }
  const tag = createHash('sha256')
    .update(`${digest} ${JSON.stringify(head)}`)
    .digest('base64url')
    .slice(0, 22)
  return { pieces: [`${JSON.stringify(head).slice(0, -1)},`, ...pieces], tag: `"${tag}"` }
}

/** Everything from `paths` on. */
function* bodyPieces(
  described: Described,
  version: OpenApiVersion,
  { procedures, sessionCookie, hasResumable }: OpenApiOptions,
): Generator<string> {
  const { schemas: shared, responses: sharedResponses, ...components } = sharedComponents(sessionCookie)
  const uploads = hasResumable ? uploadPaths(described) : {}
  const own = { ...procedurePaths(procedures(), described), ...assetPaths(described), ...uploads }
  const schemas: Record<string, SchemaObject> = { ...shared }
  const responses: Record<string, SchemaObject> = { ...sharedResponses }
  const paths = new Map<string, PathItem>(Object.entries(own))
  let separator = ''
  yield '"paths":{'
  for (const [collection, address] of addressesOf(described)) {
    const plain = describeCollection(collection, address, described)
    if (plain === null) continue
    const part = collection.isSystem && collection.name === files.name ? withUploads(plain) : plain
    Object.assign(schemas, part.schemas)
    Object.assign(responses, part.responses)
    for (const [path, item] of Object.entries(part.paths)) {
      const more = paths.get(path)
      paths.delete(path)
      yield `${separator}${JSON.stringify(path)}:${JSON.stringify(inVersion({ ...item, ...more }, version))}`
      separator = ','
    }
  }
  for (const part of listedParts(described, procedures())) Object.assign(schemas, part.schemas)
  for (const [path, item] of paths) {
    yield `${separator}${JSON.stringify(path)}:${JSON.stringify(inVersion(item, version))}`
    separator = ','
  }
  yield `},"components":${JSON.stringify(components).slice(0, -1)},"schemas":{`
  yield* membersOf(schemas)
  yield '},"responses":{'
  yield* membersOf(responses)
  yield '}}}'
}

function* membersOf(object: Readonly<Record<string, SchemaObject>>): Generator<string> {
  let separator = ''
  for (const [name, value] of Object.entries(object)) {
    yield `${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`
    separator = ','
  }
}

/** Collections without an address, of which procedures list rows. */
function* listedParts(described: Described, served: ServedProcedures): Generator<CollectionPart> {
  for (const [name, row] of Object.entries(table) as [keyof typeof table, ProcedureRow][]) {
    const listed = row.items
    if (listed === undefined || served[name] === undefined || systemCollections[listed].path !== null) continue
    const collection = described.schema.system.get(listed)
    const address = { path: '', tag: '', ids: systemOperationNames(listed) }
    const part = collection === undefined ? null : describeCollection(collection, address, described)
    if (part !== null) yield part
  }
}

/** Characters that mean something in a path template; all others may stand in it as they are. */
const reserved = /[{}/?#%\s]/gu

function* addressesOf({ schema, names }: Described): Generator<readonly [Collection, CollectionAddress]> {
  for (const collection of schema.collections.values())
    if (!collection.isSystem)
      yield [
        collection,
        {
          path: `/items/${collection.name.replaceAll(reserved, encodeURIComponent)}`,
          tag: 'items',
          ids: itemOperationNames(names.get(collection.name) ?? ''),
        },
      ]
  for (const [name, collection] of schema.system) {
    const { path } = systemCollections[name as SystemCollectionName] as SystemCollection
    if (path !== null)
      yield [collection, { path: `/${path}`, tag: path, ids: systemOperationNames(name as SystemCollectionName) }]
  }
}

const additional = new Set(['SEARCH', 'QUERY', 'PUT'])

/**
 * OpenAPI 3.1 has no place for SEARCH and QUERY, so they are an extension there. So is PUT: generated clients would take
 * it for the operation that replaces a whole item.
 */
function inVersion(item: PathItem, version: OpenApiVersion): SchemaObject {
  const standard = Object.entries(item).filter(([method]) => !additional.has(method))
  const others = Object.entries(item).filter(([method]) => additional.has(method))
  if (others.length === 0) return item
  if (version === '3.1')
    return { ...Object.fromEntries(standard), 'x-additionalOperations': Object.fromEntries(others) }
  const { SEARCH, QUERY, PUT } = item
  return {
    ...Object.fromEntries(standard),
    ...(QUERY === undefined ? {} : { query: QUERY }),
    ...(PUT === undefined ? {} : { put: PUT }),
    ...(SEARCH === undefined ? {} : { additionalOperations: { SEARCH } }),
  }
}
