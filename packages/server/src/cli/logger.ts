import { styleText } from 'node:util'
import { pino, type Logger, type LoggerOptions } from 'pino'
import type { Config } from '../config.ts'
import { logText, type LoggedLine } from './log-text.ts'
import type { Colour } from './terminal.ts'

/** Log lines in JSON are buffered; a line waits at most LOG_DELAY milliseconds. */
const LOG_BUFFER = 16_000
const LOG_DELAY = 500

export interface StartedLog {
  readonly logger: Logger
  /** The log is text for a person; JSON for programs otherwise. */
  readonly isText: boolean
}

/** The log of a service, on standard output. */
export function createLogger({ logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>): StartedLog {
  const options: LoggerOptions = { level: logLevel, serializers: { error: pino.stdSerializers.err } }
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
