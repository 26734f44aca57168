// Made by "npm run sdk:procedures" from the tables of the contract. Do not edit: it is written anew.

/** The codes of errors. */
export type ErrorCode =
  | 'FAILED_VALIDATION'
  | 'FORBIDDEN'
  | 'INVALID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_IP'
  | 'INVALID_OTP'
  | 'INVALID_PAYLOAD'
  | 'INVALID_QUERY'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'REQUESTS_EXCEEDED'
  | 'ROUTE_NOT_FOUND'
  | 'SERVICE_UNAVAILABLE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'ILLEGAL_ASSET_TRANSFORMATION'
  | 'UNPROCESSABLE_CONTENT'
  | 'USER_SUSPENDED'
  | 'INVALID_INVITE'
  | 'CONTENT_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'PRECONDITION_FAILED'
  | 'RECORD_NOT_UNIQUE'
  | 'CONTAINS_NULL_VALUES'
  | 'NOT_NULL_VIOLATION'
  | 'INVALID_FOREIGN_KEY'
  | 'VALUE_TOO_LONG'
  | 'VALUE_OUT_OF_RANGE'
  | 'GRAPHQL_VALIDATION'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'POSITION_GONE'
  | 'AUTH_FAILED'
  | 'AUTH_TIMEOUT'
  | 'LIMIT_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR'

/** The values of `meta`. */
export type MetaValue = 'total_count' | 'filter_count' | 'estimated_count' | 'cursor' | 'etag'

/** The types of fields that functions accept. */
export interface FunctionTypes {
  year: 'date' | 'dateTime' | 'timestamp'
  month: 'date' | 'dateTime' | 'timestamp'
  week: 'date' | 'dateTime' | 'timestamp'
  day: 'date' | 'dateTime' | 'timestamp'
  weekday: 'date' | 'dateTime' | 'timestamp'
  hour: 'time' | 'dateTime' | 'timestamp'
  minute: 'time' | 'dateTime' | 'timestamp'
  second: 'time' | 'dateTime' | 'timestamp'
  count: 'json'
  json: 'json'
}

/** Whether an aggregate is a text, or has the type of its field. */
export interface AggregateResults {
  count: 'text'
  countDistinct: 'text'
  countAll: 'text'
  sum: 'text'
  sumDistinct: 'text'
  avg: 'text'
  avgDistinct: 'text'
  min: 'same'
  max: 'same'
}

/** Collections of the service itself have addresses of their own. */
export const systemPaths = {
  service_activity: 'activity',
  service_revisions: 'revisions',
  service_roles: 'roles',
  service_users: 'users',
  service_policies: 'policies',
  service_access: 'access',
  service_permissions: 'permissions',
  service_folders: 'folders',
  service_files: 'files',
  service_settings: 'settings',
  service_presets: 'presets',
  service_notifications: 'notifications',
  service_comments: 'comments',
  service_translations: 'translations',
  service_dashboards: 'dashboards',
  service_panels: 'panels',
  service_webhooks: 'webhooks',
} as const satisfies Readonly<Record<string, string>>
