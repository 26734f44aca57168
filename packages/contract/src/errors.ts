/** All error codes. */
export const errorCodes = {
  FAILED_VALIDATION: { status: 400, message: 'Validation failed.' },
  FORBIDDEN: { status: 403, message: "You don't have permission to access this." },
  INVALID_TOKEN: { status: 403, message: 'Invalid token.' },
  TOKEN_EXPIRED: { status: 401, message: 'Token expired.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid user credentials.' },
  INVALID_IP: { status: 401, message: 'Invalid IP address.' },
  INVALID_OTP: { status: 401, message: 'Invalid user OTP.' },
  INVALID_PAYLOAD: { status: 400, message: 'Invalid payload.' },
  INVALID_QUERY: { status: 400, message: 'Invalid query.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported media type.' },
  REQUESTS_EXCEEDED: { status: 429, message: 'Too many requests.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'Route does not exist.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Service unavailable.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file does not have this range.' },
  ILLEGAL_ASSET_TRANSFORMATION: { status: 400, message: 'The picture would be too large.' },
  UNPROCESSABLE_CONTENT: { status: 422, message: "Can't process content." },
  USER_SUSPENDED: { status: 401, message: 'User suspended.' },
  INVALID_INVITE: { status: 400, message: 'Invalid invite.' },
  CONTENT_TOO_LARGE: { status: 413, message: 'Content too large.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed.' },
  PRECONDITION_FAILED: { status: 412, message: 'The item has changed since it was read.' },
  RECORD_NOT_UNIQUE: { status: 400, message: 'Value has to be unique.' },
  CONTAINS_NULL_VALUES: { status: 400, message: 'The field contains null values.' },
  NOT_NULL_VIOLATION: { status: 400, message: 'Value must not be null.' },
  INVALID_FOREIGN_KEY: { status: 400, message: 'Invalid foreign key.' },
  VALUE_TOO_LONG: { status: 400, message: 'Value is too long.' },
  VALUE_OUT_OF_RANGE: { status: 400, message: 'Value is out of range.' },
  GRAPHQL_VALIDATION: { status: 400, message: 'GraphQL validation error.' },
  PERSISTED_QUERY_NOT_FOUND: { status: 404, message: 'PersistedQueryNotFound.' },
  POSITION_GONE: {
    status: 410,
    message: 'The changes after this position are no longer kept. Read the items again, and subscribe without it.',
  },
  AUTH_FAILED: { status: 401, message: 'Authentication failed.' },
  AUTH_TIMEOUT: { status: 401, message: 'The connection was not signed in in time.' },
  LIMIT_EXCEEDED: { status: 403, message: 'The connection has no further subscriptions.' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'An unexpected error occurred.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCodes

/** One error of a response. Details are placed next to the code. */
export interface WireError {
  readonly message: string
  readonly extensions: { readonly code: ErrorCode; readonly [detail: string]: unknown }
}

export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message?: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message ?? errorCodes[code].message, options)
    this.name = 'ServiceError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return errorCodes[this.code].status
  }

  toWire(): WireError {
    return { message: this.message, extensions: { ...this.details, code: this.code } }
  }
}

/** Several errors at once, all with the same status. */
export class ServiceErrors extends Error {
  readonly errors: readonly ServiceError[]

  constructor(errors: readonly ServiceError[]) {
    super(errors.map(({ message }) => message).join(' '))
    this.name = 'ServiceErrors'
    this.errors = errors
  }
}

/** A reason that ends with a full stop. */
export const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)

export const invalidQuery = (reason: string): ServiceError =>
  new ServiceError('INVALID_QUERY', `Invalid query. ${sentence(reason)}`, { reason })

export const invalidPayload = (reason: string): ServiceError =>
  new ServiceError('INVALID_PAYLOAD', `Invalid payload. ${sentence(reason)}`, { reason })

export const forbidden = (reason?: string): ServiceError =>
  new ServiceError('FORBIDDEN', reason, reason === undefined ? {} : { reason })
