import { expect, test } from 'vitest'
import type {
  AuthProcedureName,
  FileProcedureName,
  WebhookProcedureName,
  ItemProcedureName,
  SchemaProcedureName,
  ServiceProcedureName,
  SpecificationProcedureName,
} from '@tain/contract'
import type { MutationRole, QueryRole } from '../../packages/server/src/graphql/schema/names.ts'
import { mutationRoles, queryRoles } from '../../packages/server/src/graphql/schema/type-names.ts'
import type { Mutation } from '../../packages/server/src/query/mutation.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { useWorld } from '../lib/world.ts'

/** The same request in REST and in GraphQL. */
interface Spelling {
  readonly rest: readonly [method: string, path: string]
  readonly graphql: string
}

const row = (method: string, path: string, graphql: string): Spelling => ({ rest: [method, path], graphql })

// The compiler requires an entry for every operation of the service, so no operation can exist in one protocol only.

const resources: Readonly<Record<SchemaProcedureName, Spelling>> = {
  listFields: row('GET', '/fields', 'fields'),
  fieldsOf: row('GET', '/fields/x', 'fields_in_collection'),
  readField: row('GET', '/fields/x/y', 'fields_by_name'),
  createField: row('POST', '/fields/x', 'create_fields_item'),
  updateFields: row('PATCH', '/fields/x', 'update_fields_items'),
  updateField: row('PATCH', '/fields/x/y', 'update_fields_item'),
  deleteField: row('DELETE', '/fields/x/y', 'delete_fields_item'),
  listCollections: row('GET', '/collections', 'collections'),
  namedCollections: row('SEARCH', '/collections', 'collections_by_names'),
  readCollection: row('GET', '/collections/x', 'collections_by_name'),
  createCollection: row('POST', '/collections', 'create_collections_item'),
  updateCollections: row('PATCH', '/collections', 'update_collections_items'),
  updateCollection: row('PATCH', '/collections/x', 'update_collections_item'),
  deleteCollection: row('DELETE', '/collections/x', 'delete_collections_item'),
  listRelations: row('GET', '/relations', 'relations'),
  relationsOf: row('GET', '/relations/x', 'relations_in_collection'),
  readRelation: row('GET', '/relations/x/y', 'relations_by_name'),
  createRelation: row('POST', '/relations', 'create_relations_item'),
  updateRelation: row('PATCH', '/relations/x/y', 'update_relations_item'),
  deleteRelation: row('DELETE', '/relations/x/y', 'delete_relations_item'),
}

const procedures: Readonly<Record<Exclude<ServiceProcedureName, 'serverReady' | 'appStart'>, Spelling>> = {
  readMe: row('GET', '/users/me', 'users_me'),
  trackPage: row('PATCH', '/users/me/track/page', 'users_me_track_page'),
  myRoles: row('GET', '/roles/me', 'roles_me'),
  myGlobals: row('GET', '/policies/me/globals', 'policies_me_globals'),
  myPermissions: row('GET', '/permissions/me', 'permissions_me'),
  myItemPermissions: row('GET', '/permissions/me/x/1', 'permissions_me_by_item'),
  explain: row('POST', '/permissions/explain', 'permissions_explain'),
  previewPermissions: row('POST', '/permissions/preview', 'permissions_preview'),
  serverInfo: row('GET', '/server/info', 'server_info'),
  serverHealth: row('GET', '/server/health', 'server_health'),
  serverPing: row('GET', '/server/ping', 'server_ping'),
  randomText: row('GET', '/utils/random/string', 'utils_random_string'),
  clearCache: row('POST', '/utils/cache/clear', 'utils_cache_clear'),
}

const authentication: Readonly<Record<Exclude<AuthProcedureName, 'listProviders'>, Spelling>> = {
  login: row('POST', '/auth/login', 'auth_login'),
  refresh: row('POST', '/auth/refresh', 'auth_refresh'),
  logout: row('POST', '/auth/logout', 'auth_logout'),
  requestPassword: row('POST', '/auth/password/request', 'auth_password_request'),
  resetPassword: row('POST', '/auth/password/reset', 'auth_password_reset'),
  invite: row('POST', '/users/invite', 'users_invite'),
  acceptInvite: row('POST', '/users/invite/accept', 'users_invite_accept'),
  register: row('POST', '/users/register', 'users_register'),
  verifyEmail: row('GET', '/users/register/verify-email', 'users_register_verify'),
  generateTfa: row('POST', '/users/me/tfa/generate', 'users_me_tfa_generate'),
  enableTfa: row('POST', '/users/me/tfa/enable', 'users_me_tfa_enable'),
  disableTfa: row('POST', '/users/me/tfa/disable', 'users_me_tfa_disable'),
  disableTfaOf: row('POST', '/users/x/tfa/disable', 'users_tfa_disable'),
  revokeLinks: row('POST', '/users/me/links/revoke', 'users_me_links_revoke'),
  revokeLinksOf: row('POST', '/users/x/links/revoke', 'users_links_revoke'),
  setup: row('POST', '/server/setup', 'server_setup'),
}

const others: Readonly<
  Record<
    | ItemProcedureName
    | FileProcedureName
    | WebhookProcedureName
    | Exclude<SpecificationProcedureName, 'showSdl' | 'readOpenApi' | 'readDescription'>
    | 'updateMe',
    Spelling
  >
> = {
  readSdl: row('GET', '/server/specs/graphql', 'server_specs_graphql'),
  updateMe: row('PATCH', '/users/me', 'update_users_me'),
  importFile: row('POST', '/files/import', 'import_file'),
  getFileUrl: row('GET', '/files/x/url', 'files_url'),
  exportItems: row('POST', '/utils/export/x', 'utils_export'),
  sortItems: row('POST', '/utils/sort/x', 'utils_sort'),
  revertItem: row('POST', '/utils/revert/1', 'utils_revert'),
  listDeliveries: row('GET', '/webhooks/x/deliveries', 'webhooks_deliveries'),
  replayDelivery: row('POST', '/webhooks/x/deliveries/y/replay', 'webhooks_replay_delivery'),
  replayDeliveries: row('POST', '/webhooks/x/replay', 'webhooks_replay'),
  testWebhook: row('POST', '/webhooks/x/test', 'webhooks_test'),
  rotateWebhook: row('POST', '/webhooks/x/rotate', 'webhooks_rotate'),
}

/** Every kind of write and the GraphQL root fields that perform it. */
const writes: Readonly<Record<Mutation['kind'], readonly MutationRole[] | 'utils_sort'>> = {
  create: ['createItem', 'createItems'],
  update: ['updateItem', 'updateItems', 'updateByQuery'],
  'update-each': ['updateBatch'],
  delete: ['deleteItem', 'deleteItems', 'deleteByQuery'],
  upsert: ['upsertItems'],
  singleton: ['updateSingleton'],
  sort: 'utils_sort',
}

const all = [resources, procedures, authentication, others].flatMap((group) => Object.values(group))

let roots: ReadonlySet<string>

async function rootsOf(scope: string): Promise<string[]> {
  const query = '{ s: __schema { queryType { fields { name } } mutationType { fields { name } } } }'
  const { body, text } = await service.send('POST', scope, { query })
  const { data } = body as { data?: { s: Record<string, { fields: { name: string }[] }> } }
  if (data === undefined) throw new Error(text)
  return Object.values(data.s).flatMap(({ fields }) => fields.map(({ name }) => name))
}

const { service } = useWorld({
  tables: 'create table tags (id serial primary key, name text); create table site (id serial primary key)',
  prepare: async () => {
    await service.send('PATCH', '/collections/site', { meta: { singleton: true } })
    roots = new Set(await rootsOf('/graphql/system'))
  },
})

test.each(all)('$rest is also $graphql', async ({ rest: [method, path], graphql }) => {
  const { body } = await service.send(method, path, method === 'GET' ? undefined : {}, { token: null })
  const { errors } = (body ?? {}) as { errors?: { extensions: { code: string; path?: string } }[] }
  expect(errors?.[0]?.extensions).not.toEqual({ code: 'ROUTE_NOT_FOUND', path })
  expect(roots).toContain(graphql)
})

test('there is no procedure in GraphQL that REST does not have', () => {
  const bases = systemCollections.flatMap(({ path }) => (path === null ? [] : [path]))
  const ofCollections = new Set(
    bases.flatMap((base) => [...Object.values(queryRoles), ...Object.values(mutationRoles)].map((name) => name(base))),
  )
  const known = new Set(all.map(({ graphql }) => graphql))
  expect([...roots].filter((name) => !ofCollections.has(name) && !known.has(name))).toEqual([])
})

test('every collection of the service is in both, and changed in both or in none', async () => {
  for (const { path, isReadOnly } of systemCollections) {
    if (path === null) continue
    expect((await service.get(`/${path}`)).status).toBe(200)
    expect(roots).toContain(path)
    const isWritten = ['createItem', 'updateSingleton'].some((role) =>
      roots.has(mutationRoles[role as MutationRole](path)),
    )
    expect([path, isWritten]).toEqual([path, !isReadOnly])
  }
})

test('every kind of write has its root fields', async () => {
  const items = new Set(await rootsOf('/graphql'))
  const wanted = Object.values(writes).flatMap((roles) => (typeof roles === 'string' ? [] : roles))
  for (const role of wanted) expect(items).toContain(mutationRoles[role](role === 'updateSingleton' ? 'site' : 'tags'))
  expect(roots).toContain(writes.sort)
  for (const role of Object.keys(queryRoles) as QueryRole[]) expect(items).toContain(queryRoles[role]('tags'))
})
