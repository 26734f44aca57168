import {
  procedures,
  routes,
  type ProcedureName,
  type ProcedureRow,
  type ResponseKind,
  type RouteName,
} from '@tain/contract'
import { procedureSchemas } from '@tain/contract/schemas'
import type { Actor } from '../access/actor.ts'
import type { ServedProcedures } from '../procedure.ts'
import { findCollection } from '../schema/schema.ts'
import { mayUseFiles } from './file-operations.ts'
import type { PathItem } from './item-operations.ts'
import { rowName, type Described } from './row-schemas.ts'
import { enveloped, json, ref, type SchemaObject } from './schema-object.ts'

/** Generated clients know these operations by another name than the service itself. */
const otherIds: Partial<Readonly<Record<ProcedureName, string>>> = { readMe: 'getMe', exportItems: 'export' }

const isFor: Readonly<Record<ProcedureRow['callers'], (actor: Actor) => boolean>> = {
  anybody: () => true,
  users: ({ user, isAdmin }) => user !== null || isAdmin,
  administrators: ({ isAdmin }) => isAdmin,
}

interface Result {
  readonly output: SchemaObject
  /** The rows of the collection that it returns. */
  readonly row: SchemaObject
}

type Responses = (result: Result) => Readonly<Record<number, SchemaObject>>

const ok = (content: SchemaObject): Readonly<Record<number, SchemaObject>> => ({
  200: { description: 'Done.', content },
})
const noContent: Responses = () => ({ 204: ref('responses', 'NoContent') })
const plainText: Responses = () => ok({ 'text/plain': { schema: { type: 'string' } } })

const responses: Readonly<Record<ResponseKind, Responses>> = {
  // Some have nothing to say, such as a diff of equal schemas, and others never have: JSON Schema has no type for that.
  data: (result) =>
    result.output['type'] === 'void'
      ? noContent(result)
      : { ...ok(json(enveloped(result.output))), ...noContent(result) },
  body: ({ output }) => ok(json(output)),
  'json text': ({ output }) => ok(json(output)),
  item: ({ row }) => ok(json(enveloped(row))),
  'new item': (result) => ({ ...ok(json(enveloped(result.row))), ...noContent(result) }),
  items: ({ row }) => ok(json(enveloped({ type: 'array', items: row }))),
  health: ({ output }) => {
    const content = { 'application/health+json': { schema: output } }
    return { ...ok(content), 503: { description: 'The service is not healthy.', content } }
  },
  text: plainText,
  'long text': plainText,
  file: plainText,
  'data or file': ({ output }) =>
    ok({ ...json(enveloped(output)), 'application/yaml': { schema: { type: 'string' } } }),
  removed: noContent,
  nothing: noContent,
  done: () => ({ 200: { description: 'Done.' } }),
  tokens: ({ output }) => ok(json(enveloped(output))),
  'signed out': noContent,
  redirect: () => ({ 302: { description: 'The address of the application.' } }),
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
}

const templateOf = (path: string) => path.replaceAll(/:(\w+)/gu, '{$1}')
const namesIn = (path: string) => [...path.matchAll(/:(\w+)/gu)].map(([, name]) => name ?? '')

/** Formats that only the service knows are left out, and so is what JSON cannot say. */
const plain = (schema: unknown): SchemaObject =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'format' && (value === 'text' || value === 'password') ? undefined : value,
    ),
  ) as SchemaObject

function bodyOf(name: ProcedureName, { input }: ProcedureRow): SchemaObject | null {
  const { properties = {}, required = [] } = plain(procedureSchemas[name].input) as ObjectSchema
  const whole = Object.keys(input).find((member) => input[member] === 'whole body')
  if (whole !== undefined) return properties[whole] ?? {}
  const members = Object.keys(input).filter((member) => input[member] === 'body')
  if (members.length === 0) return null
  const needed = required.filter((member) => members.includes(member))
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member, properties[member] ?? {}])),
    ...(needed.length === 0 ? {} : { required: needed }),
  }
}

function parametersOf(name: ProcedureName, { input }: ProcedureRow, path: string): readonly SchemaObject[] {
  const { properties = {} } = plain(procedureSchemas[name].input) as ObjectSchema
  const inPath = namesIn(path).map((member) => ({
    name: member,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(input).flatMap(([member, source]) =>
    source === 'query' || source === 'query list'
      ? [{ name: member, in: 'query', required: false, schema: properties[member] ?? {} }]
      : [],
  )
  return [...inPath, ...inQuery]
}

function operationOf(
  name: ProcedureName,
  row: ProcedureRow,
  path: string,
  id: string,
  described: Described,
): SchemaObject {
  const collection = row.items === undefined ? undefined : findCollection(described.schema, row.items, true)
  const isVisible = collection !== undefined && described.visibility.mayRead(collection)
  const result = {
    output: plain(procedureSchemas[name].output),
    row: isVisible ? ref('schemas', rowName(collection, described.names)) : { type: 'object' },
  }
  const parameters = parametersOf(name, row, path)
  const body = bodyOf(name, row)
  return {
    operationId: id,
    tags: [path.split('/')[1] ?? ''],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      ...responses[row.response](result),
      ...(row.isTagged === true ? { 304: ref('responses', 'NotModified') } : {}),
      default: ref('responses', 'Error'),
    },
  }
}

/** Routes that are no procedure. Pages for browsers are no part of the interface. */
const described: Readonly<Record<RouteName, { readonly id: string; readonly body: SchemaObject | null } | null>> = {
  root: null,
  adminApp: null,
  adminFiles: null,
  apiReference: null,
  apiReferenceFiles: null,
  guide: null,
  extensions: null,
  asset: null,
  namedAsset: null,
  // Described with the contents of files.
  archiveFiles: null,
  archiveFolder: null,
  presignFile: { id: 'presignFile', body: { type: 'object' } },
  putFile: null,
  completeFile: { id: 'completeFile', body: null },
  resumableUploads: null,
  resumableUpload: null,
  batch: { id: 'batch', body: { type: 'object' } },
  importItems: { id: 'import', body: null },
  // Described in docs/realtime.md: an endless stream has no schema.
  eventStream: null,
  updateMe: { id: 'updateMe', body: { type: 'object' } },
  graphql: {
    id: 'graphql',
    body: { type: 'object', properties: { query: { type: 'string' }, variables: { type: 'object' } } },
  },
  graphqlSystem: {
    id: 'graphqlSystem',
    body: { type: 'object', properties: { query: { type: 'string' }, variables: { type: 'object' } } },
  },
}

function* routeOperations(actor: Actor): Generator<readonly [path: string, method: string, operation: SchemaObject]> {
  for (const [name, { methods, path, callers }] of Object.entries(routes)) {
    const known = described[name as RouteName]
    if (known === null || !isFor[callers](actor)) continue
    for (const method of methods.filter((each) => each !== 'GET')) {
      const parameters = namesIn(path).map((each) => ({
        name: each,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      }))
      const content = known.body === null ? { 'multipart/form-data': { schema: { type: 'object' } } } : json(known.body)
      yield [
        path,
        method,
        {
          operationId: known.id,
          tags: [path.split('/')[1] ?? ''],
          ...(parameters.length === 0 ? {} : { parameters }),
          requestBody: { required: true, content },
          responses: { ...ok(json({})), 204: ref('responses', 'NoContent'), default: ref('responses', 'Error') },
        },
      ]
    }
  }
}

/** The operations of the tables of procedures and routes that the caller may use, by path. */
export function procedurePaths(served: ServedProcedures, all: Described): Readonly<Record<string, PathItem>> {
  const paths: Record<string, Record<string, SchemaObject>> = {}
  const add = (path: string, method: string, operation: SchemaObject) => {
    const item = (paths[templateOf(path)] ??= {})
    item[method === 'SEARCH' ? method : method.toLowerCase()] = operation
  }
  for (const [name, row] of Object.entries(procedures) as [ProcedureName, ProcedureRow][]) {
    if (served[name] === undefined || !isFor[row.callers](all.actor) || !mayUseFiles(name, all)) continue
    for (const [at, [method, path]] of row.rest.entries()) {
      const id = `${otherIds[name] ?? name}${at === 0 ? '' : at + 1}`
      add(path, method, operationOf(name, row, path, id, all))
    }
  }
  for (const [path, method, operation] of routeOperations(all.actor)) add(path, method, operation)
  return paths
}
