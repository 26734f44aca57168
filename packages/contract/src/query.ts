/** Parameters of a read by wire name: the same in a URL, in a SEARCH body and, with the prefix `_`, inside `deep`. */
export const queryParameters = {
  fields: { deep: false },
  filter: { deep: true },
  search: { deep: true },
  sort: { deep: true },
  limit: { deep: true },
  offset: { deep: true },
  page: { deep: true },
  cursor: { deep: false },
  seek: { deep: false },
  aggregate: { deep: true },
  groupBy: { deep: true },
  deep: { deep: false },
  alias: { deep: true },
  backlink: { deep: false },
  cut: { deep: false },
  meta: { deep: false },
  count_up_to: { deep: false },
  export: { deep: false },
} as const satisfies Record<string, { deep: boolean }>

export type QueryParameter = keyof typeof queryParameters

export const isQueryParameter = (name: string): name is QueryParameter => Object.hasOwn(queryParameters, name)

export const metaValues = ['total_count', 'filter_count', 'estimated_count', 'cursor', 'etag'] as const
export type MetaValue = (typeof metaValues)[number]

export const exportFormats = {
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  csv_utf8: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  xml: { type: 'text/xml; charset=utf-8', extension: 'xml' },
  yaml: { type: 'text/yaml; charset=utf-8', extension: 'yaml' },
} as const satisfies Record<string, { type: string; extension: string }>

export type ExportFormat = keyof typeof exportFormats

export const isExportFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)
