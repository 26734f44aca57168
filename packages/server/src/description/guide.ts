import { procedures, routes, type CollectionDescription } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import type { Schema } from '../schema/schema.ts'
import type { ReadGuide } from '../system/procedures/specifications.ts'
import { createCallerDocuments, gather } from './caller-documents.ts'
import { describeCollections } from './describe.ts'

export interface GuideOptions {
  readonly publicUrl: string | null
  /** The OpenAPI document is served. */
  readonly hasOpenApi: boolean
  /** Users can sign in with a password. */
  readonly hasLogin: boolean
}

/** An agent reads all of it before it begins, so it stays short. */
const MOST_COLLECTIONS = 100
const MOST_FIELDS = 20
const MOST_CHARACTERS = 160

/** `/llms.txt`: how agents use the service, and which collections the caller may use. */
export function createGuides(engine: Engine, options: GuideOptions): ReadGuide {
  const documents = createCallerDocuments<'guide'>(engine, async (actor, schema) => {
    const { pieces, digest } = await gather(piecesOf(actor, schema, options))
    return { pieces, tag: `"${digest.slice(0, 22)}"` }
  })
  return (caller) => documents(caller, 'guide')
}

function* piecesOf(actor: Actor, schema: Schema, options: GuideOptions): Generator<string> {
  yield introduction(options)
  yield '\n## Collections\n\n'
  let count = 0
  for (const collection of describeCollections(actor, schema)) {
    count += 1
    if (count <= MOST_COLLECTIONS) yield `${lineOf(collection)}\n`
  }
  if (count === 0) yield 'None is open to you. Send a token.\n'
  if (count > MOST_COLLECTIONS)
    yield `- … and ${count - MOST_COLLECTIONS} more: ${procedures.readDescription.rest[0][1]} has all of them.\n`
}

/** Names and notes are data. On one line and in code, they cannot look like parts of the guide. */
const plain = (text: string) => {
  const line = text.replaceAll(/[\s`]+/gu, ' ').trim()
  return `\`${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line}\``
}

function lineOf({ path, may, key, fields, note }: CollectionDescription): string {
  const names = fields.slice(0, MOST_FIELDS).map(({ name }) => plain(name))
  const rest = fields.length > MOST_FIELDS ? ` and ${fields.length - MOST_FIELDS} more` : ''
  return [
    `- ${plain(path)} (${may.join(', ')})`,
    key.length === 0 ? '' : `; key ${key.map(plain).join(', ')}`,
    `; fields ${names.join(', ')}${rest}`,
    note === undefined ? '' : `; note ${plain(note)}`,
  ].join('')
}

const introduction = ({ publicUrl, hasOpenApi, hasLogin }: GuideOptions): string => {
  const at = (path: string) => `${publicUrl?.replace(/\/+$/u, '') ?? ''}${path}`
  const link = (title: string, path: string, what: string) => `- [${title}](${at(path)}): ${what}`
  return `# Data service

> REST and GraphQL for a SQL database. Tables and views are collections. This page is made for its caller: without a token
> it is the page of the public.

## Authentication

Send \`Authorization: Bearer <token>\` with every request, also with the one for this page: it then lists what the token may
use.${hasLogin ? ` \`POST ${procedures.login.rest[0][1]}\` with \`{"email", "password"}\` returns an access token.` : ''}

## Queries

- List: \`GET /items/{collection}?limit=10&fields=id,name\`. The rows are in \`data\`.
- One item: \`GET /items/{collection}/{key}\`. Parts of a key are joined by commas.
- Filter: \`filter={"price":{"_lt":30},"name":{"_contains":"knife"}}\`, URL-encoded. Operators: \`_eq\`, \`_neq\`, \`_lt\`,
  \`_lte\`, \`_gt\`, \`_gte\`, \`_in\`, \`_nin\`, \`_null\`, \`_contains\`, \`_starts_with\`, \`_and\`, \`_or\`.
- Relations: \`fields=name,category.name\` returns related rows inside; \`filter={"category":{"name":{"_eq":"Knives"}}}\`.
- Order and pages: \`sort=-price,name\`, \`limit\`, \`offset\`; \`meta=filter_count\` counts.
- Aggregates: \`aggregate={"count":"*","sum":["total"]}&groupBy=status\`.
- Long queries: \`SEARCH /items/{collection}\` with the body \`{"query":{…}}\` and the same parameters.
- Write: \`POST\`, \`PATCH\` and \`DELETE\` at the same addresses. \`Prefer: tx=rollback\` tries a write and undoes it.
- Errors: \`errors[].message\` says what to change, \`errors[].extensions.code\` is stable. FORBIDDEN also means: no such name.
- Numbers of the types bigint and decimal are text, so that all digits are kept.

## Specifications

${[
  link('Schema', procedures.readDescription.rest[0][1], 'collections, fields, types and relations as compact JSON'),
  ...(hasOpenApi ? [link('OpenAPI', procedures.readOpenApi.rest[0][1], 'all operations, OpenAPI 3.1')] : []),
  link('GraphQL', procedures.showSdl.rest[0][1], `the schema as SDL; queries go to \`POST ${routes.graphql.path}\``),
].join('\n')}
`
}
