import type { Method, ProcedureRow, RootField } from './row.ts'

/** An address that is no procedure: it streams, or stands for many operations. */
export interface Route {
  readonly methods: readonly RouteMethod[]
  readonly path: string
  readonly callers: ProcedureRow['callers']
  /** The root field that does the same. */
  readonly graphql?: RootField
}

export type RouteMethod = Method | 'PUT' | 'QUERY'

const anybody = { callers: 'anybody' } as const

/** The routes of every collection, below `/items/:collection` or below the path of a collection of the service. */
export const itemRoutes = {
  list: { ...anybody, methods: ['GET'], path: '' },
  search: { ...anybody, methods: ['SEARCH', 'QUERY'], path: '' },
  read: { ...anybody, methods: ['GET'], path: '/:key' },
} as const satisfies Readonly<Record<string, Route>>

/** Read-only collections do not have them. */
export const itemWriteRoutes = {
  create: { ...anybody, methods: ['POST'], path: '' },
  change: { ...anybody, methods: ['PATCH', 'DELETE', 'PUT'], path: '' },
  changeOne: { ...anybody, methods: ['PATCH', 'DELETE', 'PUT'], path: '/:key' },
} as const satisfies Readonly<Record<string, Route>>

export const ITEMS_PATH = '/items/:collection'

/** All other routes. */
export const routes = {
  /** A page for browsers, and the addresses of the interfaces for programs. Reads no token. */
  root: { ...anybody, methods: ['GET'], path: '/' },
  /** The admin app: pages and files for browsers. Reads no token. Not served everywhere. */
  adminApp: { ...anybody, methods: ['GET'], path: '/admin' },
  adminFiles: { ...anybody, methods: ['GET'], path: '/admin/*' },
  /** A page for browsers about the OpenAPI document. Reads no token. Not served where there is no document. */
  apiReference: { ...anybody, methods: ['GET'], path: '/docs/api' },
  apiReferenceFiles: { ...anybody, methods: ['GET'], path: '/docs/api/*' },
  /** How agents use the service, with the collections of the caller, as Markdown. */
  guide: { ...anybody, methods: ['GET'], path: '/llms.txt' },
  /** The content of a file, also under a name that the caller chooses. */
  asset: { ...anybody, methods: ['GET'], path: '/assets/:id' },
  namedAsset: { ...anybody, methods: ['GET'], path: '/assets/:id/:name' },
  /** Several files as one zip. */
  archiveFiles: { ...anybody, methods: ['POST'], path: '/assets/files' },
  archiveFolder: { ...anybody, methods: ['POST'], path: '/assets/folder/:id' },
  /** Uploads past the service: an address for the content, where it is put if the service takes it, and their end. */
  presignFile: { ...anybody, methods: ['POST'], path: '/files/presign' },
  putFile: { ...anybody, methods: ['PUT'], path: '/files/:id/content' },
  completeFile: { ...anybody, methods: ['POST'], path: '/files/:id/complete' },
  /** Uploads that may be interrupted: the protocol tus. Not served everywhere. */
  resumableUploads: { ...anybody, methods: ['POST'], path: '/files/tus' },
  resumableUpload: { ...anybody, methods: ['PATCH', 'DELETE', 'POST'], path: '/files/tus/:upload' },
  batch: { ...anybody, methods: ['POST'], path: '/batch' },
  importItems: { ...anybody, methods: ['POST'], path: '/utils/import/:collection' },
  /** Writes an item like any other: with conditions, a selection of fields, and a response that can be replayed. */
  updateMe: {
    callers: 'users',
    methods: ['PATCH'],
    path: '/users/me',
    graphql: { operation: 'mutation', name: 'update_users_me' },
  },
  /** Subscriptions as server-sent events. Not served everywhere. */
  eventStream: { ...anybody, methods: ['GET'], path: '/realtime/items/:collection' },
  /** What extensions serve, below their names. Not served where there are none. */
  extensions: { ...anybody, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], path: '/extensions/*' },
  graphql: { ...anybody, methods: ['GET', 'POST'], path: '/graphql' },
  graphqlSystem: { ...anybody, methods: ['GET', 'POST'], path: '/graphql/system' },
} as const satisfies Readonly<Record<string, Route>>

export type RouteName = keyof typeof routes
