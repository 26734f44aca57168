/** An error as the log shows it. */
export interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly fault?: string
  /** Names in the database, never values. */
  readonly objects?: Readonly<Record<string, string>>
  readonly stack: string
  readonly cause?: LoggedError
}

const DEEPEST_CAUSE = 3
const HIDDEN = '…'

/** Names of database objects among the details of a database error. All other details may hold values. */
const objectNames = ['schema', 'table', 'column', 'constraint'] as const

/** Errors of the language whose messages name code, not data. */
const namesCode: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'AssertionError'])

/** Errors of the language whose messages repeat the value that they refuse, without quotes. */
const repeatsValues: ReadonlySet<string> = new Set(['SyntaxError', 'RangeError', 'URIError'])

/**
 * Only these properties of an error are logged. Drivers attach statements with values, details with rows and connection
 * settings to their errors, and databases quote values in their messages.
 */
export function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: HIDDEN, stack: '' }
  const type = error.constructor.name
  const message = messageOf(error, type)
  const { code, databaseCode, fault, details } = error as Error & Readonly<Record<string, unknown>>
  const known = databaseCode ?? code
  const objects = objectsIn(details)
  return {
    type,
    message,
    ...(typeof known === 'string' ? { code: known } : {}),
    ...(typeof fault === 'string' ? { fault } : {}),
    ...(Object.keys(objects).length === 0 ? {} : { objects }),
    stack: [`${type}: ${message}`, ...framesOf(error)].join('\n'),
    ...(error.cause instanceof Error && depth < DEEPEST_CAUSE ? { cause: loggedError(error.cause, depth + 1) } : {}),
  }
}

function messageOf(error: Error & { readonly fault?: unknown }, type: string): string {
  if (namesCode.has(type)) return error.message
  // The text that a trigger or a function raises is composed by it, of anything.
  if (repeatsValues.has(type) || error.fault === 'raised') return HIDDEN
  return withoutQuoted(error.message)
}

/** From the first quote to the last one: a value may contain quotes itself. */
const withoutQuoted = (message: string): string =>
  message.replaceAll(/"[^]*"|'[^]*'|`[^]*`|\([^]*=[^]*\)/gu, (quoted) => `${quoted.at(0)}${HIDDEN}${quoted.at(-1)}`)

function objectsIn(details: unknown): Readonly<Record<string, string>> {
  if (typeof details !== 'object' || details === null) return {}
  const found = details as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    objectNames.flatMap((name) => {
      const text = found[name]
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )
}

const framesOf = ({ stack = '' }: Error): readonly string[] =>
  stack.split('\n').filter((line) => /^\s+at .*[:)]/u.test(line))
