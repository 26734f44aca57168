import { procedures, routes } from '@tain/contract'
import type { AppFacts } from '../app/facts.ts'
import { databaseNameIn } from '../config/database-url.ts'
import type { Collection } from '../schema/schema.ts'
import { awkwardIn, isTable, ownCollections } from './awkward.ts'
import type { StartFacts } from './banner.ts'

export interface StartCircumstances {
  readonly version: string
  /** The address that the server listens on. */
  readonly origin: string
  readonly adminUrl: (origin: string) => string | null
  readonly databaseUrl: string
  /** Proposed for the first administrator. */
  readonly password: string
}

/** What the banner of a start says, computed from what the service knows. */
export function startFacts(found: AppFacts, circumstances: StartCircumstances): StartFacts {
  const collections = ownCollections(found)
  const own = new Set(collections.map(({ name }) => name))
  const origin = reachable(circumstances.origin)
  const admin = circumstances.adminUrl(origin)
  const example = exampleFor(found, collections)
  return {
    version: circumstances.version,
    vendor: found.product,
    database: databaseNameIn(circumstances.databaseUrl),
    tables: collections.filter(isTable).length,
    views: collections.filter((one) => !isTable(one)).length,
    relations: found.schema.relations.filter(({ collection }) => own.has(collection)).length,
    awkward: awkwardIn(found),
    origin,
    admin,
    paths: { rest: example === null ? '/items' : itemsPath(example), graphql: routes.graphql.path },
    writes: writesOf(found),
    next: nextSteps(found, { origin, admin, example, password: circumstances.password }),
  }
}

/** A server that listens on every address is called at this machine's own. */
const reachable = (origin: string) => origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')

/** Apostrophes are encoded too: the path stands between them in a shell command. */
const itemsPath = (collection: string) => `/items/${encodeURIComponent(collection).replaceAll("'", '%27')}`

/** The table with the most relations that the caller of the next step may read. */
function exampleFor({ stranger, tokenHolder }: AppFacts, collections: readonly Collection[]): string | null {
  const open = collections.filter((one) => stranger.may('read', one))
  const readable = open.length > 0 ? open : collections.filter((one) => tokenHolder?.may('read', one) ?? true)
  const weight = (one: Collection) =>
    isTable(one) && one.key.length > 0 ? 1 + one.foreignKeys.length + one.inferred.size : 0
  const [first] = readable.toSorted((a, b) => weight(b) - weight(a) || (a.name < b.name ? -1 : 1))
  return first?.name ?? null
}

function writesOf({ systemSchema, schema }: AppFacts): string {
  if (systemSchema === null) return 'nothing: the service is read-only'
  const place = systemSchema === schema.defaultSchema ? '(service_…)' : `in the schema "${systemSchema}"`
  return `its own tables ${place}; nothing else until you ask for it`
}

interface Offered {
  readonly origin: string
  readonly admin: string | null
  readonly example: string | null
  readonly password: string
}

/** The most useful request that works now, as a command for a shell. */
function nextSteps(found: AppFacts, { origin, admin, example, password }: Offered): readonly string[] {
  const { setupToken, stranger, tokenHolder, schema, systemSchema } = found
  const collection = example === null ? undefined : schema.collections.get(example)
  const read = `'${origin}${itemsPath(example ?? '')}?limit=3'`
  const ping = `curl ${origin}${pathOf('serverPing')}`
  if (setupToken !== null)
    return [
      ...setupSteps(origin, setupToken, password),
      ...(admin === null ? [] : ['Or do both in the browser:', `${admin}setup?token=${setupToken}`]),
    ]
  if (collection !== undefined && stranger.may('read', collection)) return [`curl ${read}`]
  if (collection !== undefined && tokenHolder?.may('read', collection) === true)
    return [`curl -H "Authorization: Bearer $ADMIN_TOKEN" ${read}`]
  if (systemSchema === null)
    return ['Read-only, only the holder of ADMIN_TOKEN may read. Set it and start again.', ping]
  if (collection === undefined) return ['The database has no tables yet.', ping]
  return [
    `Reading needs a token: POST an e-mail address and a password to ${pathOf('login')}, or give the public policy permission to read.`,
    ping,
  ]
}

const pathOf = (name: 'setup' | 'login' | 'serverPing'): string => procedures[name].rest[0][1]

const setupSteps = (origin: string, token: string, password: string): readonly string[] => [
  'Create the first administrator, with your e-mail address and this or a better password:',
  [
    `curl -i ${origin}${pathOf('setup')} -H 'Content-Type: application/json' -d '{"token": ${JSON.stringify(token)},`,
    `"admin": {"email": "admin@example.com",`,
    `"password": ${JSON.stringify(password)}}}'`,
  ].join('\n'),
  `Then POST that address and password to ${pathOf('login')} for an access token.`,
]
