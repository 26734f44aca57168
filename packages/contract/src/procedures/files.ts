import type { ProcedureRow } from './row.ts'

/** Parameters of an asset: how its content is given out. */
export const assetParameters = [
  'download',
  'key',
  'width',
  'height',
  'fit',
  'format',
  'quality',
  'withoutEnlargement',
  'focal_point_x',
  'focal_point_y',
  'transforms',
] as const

export type AssetParameter = (typeof assetParameters)[number]

const inQuery = Object.fromEntries(assetParameters.map((name) => [name, 'query'])) as Readonly<
  Record<AssetParameter, 'query'>
>

/** Procedures that bring, share and make files. */
export const fileProcedures = {
  importFile: {
    callers: 'anybody',
    dryRun: 'rollback',
    response: 'new item',
    items: 'service_files',
    input: { url: 'body', data: 'body' },
    rest: [['POST', '/files/import']],
    graphql: { operation: 'mutation', name: 'import_file' },
  },
  getFileUrl: {
    callers: 'anybody',
    dryRun: 'harmless',
    isStrict: true,
    isSecret: true,
    response: 'data',
    input: { id: 'path', expires_in: 'query', ...inQuery },
    rest: [['GET', '/files/:id/url']],
    graphql: { operation: 'query', name: 'files_url', keys: ['id'] },
  },
  exportItems: {
    callers: 'users',
    dryRun: 'refused',
    response: 'nothing',
    input: { collection: 'path', query: 'body', format: 'body', file: 'body' },
    rest: [['POST', '/utils/export/:collection']],
    graphql: { operation: 'mutation', name: 'utils_export' },
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type FileProcedureName = keyof typeof fileProcedures
