import { hostname } from 'node:os'
import { styleText } from 'node:util'
import { pino, type Logger, type LoggerOptions } from 'pino'
import type { Config } from '../config.ts'
import { currentRequest } from '../lib/request-context.ts'
import { logText, type LoggedLine } from './log-text.ts'
import { loggedError } from './logged-error.ts'
import type { Colour } from './terminal.ts'

/** Log lines in JSON are buffered; a line waits at most LOG_DELAY milliseconds. */
const LOG_BUFFER = 16_000
const LOG_DELAY = 500

export interface StartedLog {
  readonly logger: Logger
  /** The log is text for a person; JSON for programs otherwise. */
  readonly isText: boolean
}

/** Every line that belongs to a request has its id. */
const requestOf = (): object => {
  const request = currentRequest()
  return request === undefined ? {} : { requestId: request.requestId }
}

export const logOptions = (level: string): LoggerOptions => ({
  level,
  serializers: { error: (error: unknown) => loggedError(error) },
  mixin: requestOf,
})

/** The log of a service, on standard output. */
export function createLogger({
  logFormat,
  logLevel,
  worker,
}: Pick<Config, 'logFormat' | 'logLevel' | 'worker'>): StartedLog {
  const named = worker === null ? {} : { base: { pid: process.pid, hostname: hostname(), worker } }
  const options = { ...logOptions(logLevel), ...named }
  if (logFormat === 'text' || (logFormat === 'auto' && process.stdout.isTTY))
    return { logger: pino(options, textDestination(logLevel)), isText: true }
  const logger = pino(options, pino.destination({ sync: false, minLength: LOG_BUFFER }))
  setInterval(() => logger.flush(), LOG_DELAY).unref()
  return { logger, isText: false }
}

/** Lines are written at once, so that they stand in order with the lines on standard error. */
function textDestination(logLevel: string): { readonly write: (line: string) => void } {
  const output = pino.destination({ sync: true })
  const options = {
    paint: (colour: Colour, text: string) => styleText(colour, text, { stream: process.stdout }),
    showsStacks: logLevel === 'debug' || logLevel === 'trace',
  }
  return { write: (line) => void output.write(`${logText(JSON.parse(line) as LoggedLine, options)}\n`) }
}
