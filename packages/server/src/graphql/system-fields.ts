import { GraphQLList, GraphQLNonNull, type GraphQLOutputType } from 'graphql'
import { invalidPayload } from '@tain/contract'
import { isReplay } from '../engine/write/idempotency.ts'
import { keyFromText } from '../query/keys.ts'
import { roles } from '../system/collections/roles.ts'
import { users } from '../system/collections/users.ts'
import { systemProcedures } from '../system/procedures/index.ts'
import { userOf } from '../system/procedures/self.ts'
import { revertItem } from '../system/revert.ts'
import { payloadOf } from './payload.ts'
import { ownGlobals, sdlScope, serverInfo } from './procedure-types.ts'
import type { ProcedureCall, ProcedureField } from './root-procedure.ts'
import { named } from './reads.ts'
import { scalars } from './scalars.ts'
import type { Types } from './types.ts'

const text = { type: scalars.String }
const needed = { type: new GraphQLNonNull(scalars.String) }

const collectionOf = (name: string) => (types: Types) => types.visibility.schema.system.get(name)

const itemOf =
  (name: string, wrap: (type: GraphQLOutputType) => GraphQLOutputType = (type) => type) =>
  (types: Types): GraphQLOutputType => {
    const collection = collectionOf(name)(types)
    return collection === undefined ? scalars.JSON : wrap(types.output(collection, 'item'))
  }

const list = (type: GraphQLOutputType) => new GraphQLNonNull(new GraphQLList(type))

const callOf = <Input>({ actor, services }: ProcedureCall, input: Input) => ({
  actor,
  input,
  services: services.system,
})

type Row = ProcedureField

/** Names and types of the system procedures. */
const rows: Readonly<Record<keyof typeof systemProcedures, Row>> = {
  readMe: {
    operation: 'query',
    name: 'users_me',
    callers: 'users',
    isOpen: true,
    type: itemOf(users.name),
    item: collectionOf(users.name),
    resolve: async (call) => ({ json: (await systemProcedures.readMe(callOf(call, call.shape()))).data }),
  },
  trackPage: {
    operation: 'mutation',
    name: 'users_me_track_page',
    callers: 'users',
    type: scalars.Boolean,
    args: { last_page: text },
    resolve: async (call) => {
      await systemProcedures.trackPage(callOf(call, { last_page: call.args['last_page'] ?? null }))
      return { value: true }
    },
  },
  myRoles: {
    operation: 'query',
    name: 'roles_me',
    callers: 'users',
    type: itemOf(roles.name, list),
    item: collectionOf(roles.name),
    resolve: async (call) => ({ json: `[${(await systemProcedures.myRoles(callOf(call, call.shape()))).join(',')}]` }),
  },
  myGlobals: {
    operation: 'query',
    name: 'policies_me_globals',
    callers: 'anybody',
    type: ownGlobals,
    resolve: async (call) => ({ value: await systemProcedures.myGlobals(callOf(call, null)) }),
  },
  myPermissions: {
    operation: 'query',
    name: 'permissions_me',
    callers: 'users',
    type: scalars.JSON,
    resolve: async (call) => ({ value: await systemProcedures.myPermissions(callOf(call, null)) }),
  },
  myItemPermissions: {
    operation: 'query',
    name: 'permissions_me_by_item',
    callers: 'users',
    type: scalars.JSON,
    args: { collection: needed, id: { type: scalars.ID } },
    resolve: async (call) => {
      const { collection, id = null } = call.args
      const key = typeof id === 'string' ? keyFromText(id) : null
      return { value: await systemProcedures.myItemPermissions(callOf(call, { collection: String(collection), key })) }
    },
  },
  explain: {
    operation: 'query',
    name: 'permissions_explain',
    callers: 'administrators',
    type: scalars.JSON,
    args: { request: { type: new GraphQLNonNull(scalars.JSON) } },
    resolve: async (call) => ({ value: await systemProcedures.explain(callOf(call, call.args['request'])) }),
  },
  serverInfo: {
    operation: 'query',
    name: 'server_info',
    callers: 'anybody',
    type: serverInfo,
    resolve: async (call) => ({ value: await systemProcedures.serverInfo(callOf(call, null)) }),
  },
  serverHealth: {
    operation: 'query',
    name: 'server_health',
    callers: 'users',
    type: scalars.JSON,
    resolve: async (call) => ({ value: await systemProcedures.serverHealth(callOf(call, null)) }),
  },
  randomText: {
    operation: 'mutation',
    name: 'utils_random_string',
    dryRun: 'harmless',
    callers: 'anybody',
    type: scalars.String,
    args: { length: { type: scalars.Int } },
    resolve: async (call) => {
      const { length = null } = call.args
      return {
        value: await systemProcedures.randomText(
          callOf(call, { length: typeof length === 'number' ? String(length) : null }),
        ),
      }
    },
  },
  clearCache: {
    operation: 'mutation',
    name: 'utils_cache_clear',
    callers: 'administrators',
    isOnce: true,
    type: scalars.Boolean,
    resolve: async (call) => {
      await systemProcedures.clearCache(callOf(call, null))
      return { value: true }
    },
  },
}

/** Fields whose REST counterparts have separate routes, and fields about GraphQL itself. */
const others: readonly Row[] = [
  {
    operation: 'query',
    name: 'server_ping',
    callers: 'anybody',
    type: scalars.String,
    resolve: async () => ({ value: 'pong' }),
  },
  {
    operation: 'query',
    name: 'server_specs_graphql',
    callers: 'anybody',
    // The text is long and always the same.
    isOnce: true,
    type: scalars.String,
    args: { scope: { type: sdlScope } },
    resolve: async ({ args, sdl }) => ({ value: await sdl(args['scope'] === 'system' ? 'system' : 'items') }),
  },
  {
    operation: 'mutation',
    name: 'update_users_me',
    dryRun: 'honoured',
    callers: 'users',
    type: itemOf(users.name),
    item: collectionOf(users.name),
    args: (types) => {
      const collection = collectionOf(users.name)(types)
      return collection === undefined ? {} : { data: { type: new GraphQLNonNull(types.input(collection, 'update')) } }
    },
    resolve: updateMe,
  },
  {
    operation: 'mutation',
    name: 'utils_sort',
    dryRun: 'honoured',
    callers: 'users',
    type: scalars.Boolean,
    args: {
      collection: needed,
      item: { type: new GraphQLNonNull(scalars.ID) },
      to: { type: new GraphQLNonNull(scalars.ID) },
    },
    resolve: async ({ args, actor, origin, isDryRun, services: { engine } }) => {
      const { item, to } = args
      const mutation = { kind: 'sort', collection: String(args['collection']), item, to } as const
      await engine.write(actor, [{ mutation, read: null, ifMatch: null, origin }], { isDryRun, claim: null })
      return { value: true }
    },
  },
  {
    operation: 'mutation',
    name: 'utils_revert',
    dryRun: 'honoured',
    callers: 'users',
    type: scalars.Boolean,
    args: { revision: { type: new GraphQLNonNull(scalars.ID) } },
    resolve: async ({ args, actor, origin, isDryRun, services: { system } }) => {
      await revertItem(String(args['revision']), actor, origin, isDryRun, system)
      return { value: true }
    },
  },
]

async function updateMe(call: ProcedureCall) {
  const { actor, args, origin, isDryRun, services } = call
  const schema = services.engine.schema()
  const collection = schema.system.get(users.name)
  const { data } = args
  if (collection === undefined || typeof data !== 'object' || data === null) throw invalidPayload('"data" is missing')
  const mutation = {
    ...named(collection),
    kind: 'update',
    target: { kind: 'parts', keys: [[userOf(actor)]] },
    data: payloadOf(data as Readonly<Record<string, unknown>>, collection, schema),
  } as const
  const request = { mutation, read: call.shape(), ifMatch: null, origin }
  const result = await services.engine.write(actor, [request], { isDryRun, claim: null })
  return { json: (isReplay(result) ? undefined : result[0]?.rows[0]) ?? 'null' }
}

export const systemFields: readonly ProcedureField[] = [...Object.values(rows), ...others]
