import type { ProcedureRow, RootField } from './row.ts'

const query = (name: string): RootField => ({ operation: 'query', name })
const mutation = (name: string): RootField => ({ operation: 'mutation', name })

const reading = { dryRun: 'harmless', input: {} } as const

/** Procedures about the caller and about the service itself. */
export const serviceProcedures = {
  readMe: {
    ...reading,
    callers: 'users',
    isOpen: true,
    response: 'item',
    items: 'service_users',
    rest: [['GET', '/users/me']],
    graphql: query('users_me'),
  },
  trackPage: {
    callers: 'users',
    dryRun: 'refused',
    response: 'nothing',
    input: { last_page: 'body' },
    rest: [['PATCH', '/users/me/track/page']],
    graphql: mutation('users_me_track_page'),
  },
  myRoles: {
    ...reading,
    callers: 'users',
    response: 'items',
    items: 'service_roles',
    rest: [['GET', '/roles/me']],
    graphql: query('roles_me'),
  },
  myGlobals: {
    ...reading,
    callers: 'anybody',
    response: 'data',
    rest: [['GET', '/policies/me/globals']],
    graphql: query('policies_me_globals'),
  },
  myPermissions: {
    ...reading,
    callers: 'users',
    response: 'data',
    rest: [['GET', '/permissions/me']],
    graphql: query('permissions_me'),
  },
  myItemPermissions: {
    callers: 'users',
    dryRun: 'harmless',
    response: 'data',
    input: { collection: 'path', key: 'raw path' },
    rest: [
      ['GET', '/permissions/me/:collection'],
      ['GET', '/permissions/me/:collection/:key'],
    ],
    graphql: { ...query('permissions_me_by_item'), names: { key: 'id' }, keys: ['key'] },
  },
  explain: {
    callers: 'administrators',
    dryRun: 'harmless',
    response: 'data',
    input: { request: 'whole body' },
    rest: [['POST', '/permissions/explain']],
    graphql: query('permissions_explain'),
  },
  previewPermissions: {
    callers: 'administrators',
    dryRun: 'harmless',
    response: 'data',
    input: { request: 'whole body' },
    rest: [['POST', '/permissions/preview']],
    graphql: query('permissions_preview'),
  },
  appStart: {
    ...reading,
    callers: 'anybody',
    token: 'lenient',
    isOpen: true,
    isTagged: true,
    response: 'data',
    rest: [['GET', '/server/app']],
    graphql: null,
  },
  serverInfo: {
    ...reading,
    callers: 'anybody',
    response: 'data',
    rest: [['GET', '/server/info']],
    graphql: query('server_info'),
  },
  serverHealth: {
    ...reading,
    callers: 'users',
    response: 'health',
    rest: [['GET', '/server/health']],
    graphql: query('server_health'),
  },
  serverPing: {
    ...reading,
    callers: 'anybody',
    token: 'unread',
    response: 'text',
    rest: [['GET', '/server/ping']],
    graphql: query('server_ping'),
  },
  serverReady: {
    ...reading,
    callers: 'anybody',
    token: 'unread',
    response: 'text',
    rest: [['GET', '/server/ready']],
    graphql: null,
  },
  randomText: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'data',
    input: { length: 'query' },
    rest: [['GET', '/utils/random/string']],
    graphql: mutation('utils_random_string'),
  },
  clearCache: {
    callers: 'administrators',
    dryRun: 'refused',
    response: 'nothing',
    input: {},
    rest: [['POST', '/utils/cache/clear']],
    graphql: { ...mutation('utils_cache_clear'), isOnce: true },
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type ServiceProcedureName = keyof typeof serviceProcedures
