import { printable } from '../lib/printable.ts'
import type { Paint } from './terminal.ts'

/** A line as pino writes it. */
export type LoggedLine = Readonly<Record<string, unknown>> & {
  readonly level: number
  readonly time: number
  readonly msg?: string
}

export interface LogTextOptions {
  readonly paint: Paint
  /** Shows the stacks of all errors, not only of defects. */
  readonly showsStacks: boolean
}

const levels = [
  { from: 60, word: 'fatal', colour: 'red' },
  { from: 50, word: 'error', colour: 'red' },
  { from: 40, word: 'warn', colour: 'yellow' },
  { from: 30, word: null, colour: null },
  { from: 20, word: 'debug', colour: 'dim' },
  { from: 0, word: 'trace', colour: 'dim' },
] as const

const statusColours = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const

/** Written by pino for log collectors, or shown elsewhere in the line. */
const unlisted = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'error'])

const METHOD = 6
const SHOWN_ENTRIES = 8
const LONGEST_VALUE = 200

/** One log line for a person to read. Only an error with its stack takes more than one. */
export function logText(line: LoggedLine, { paint, showsStacks }: LogTextOptions): string {
  const time = paint('dim', clock(line.time))
  if (isRequest(line)) return `${time} ${requestText(line, paint)}`
  const { word, colour } = levels.find(({ from }) => line.level >= from) ?? levels[3]
  const error = isError(line['error']) ? line['error'] : null
  const message = printable(line.msg ?? '')
  const parts = [
    time,
    ...(word === null ? [] : [paint(colour, word)]),
    error === null ? message : `${message === '' ? '' : `${message}: `}${paint('red', oneLine(error.message))}`,
    ...Object.entries(line).flatMap(([key, value]) =>
      unlisted.has(key) || value === null || value === undefined
        ? []
        : [`${paint('dim', `${key}=`)}${valueText(value)}`],
    ),
  ].filter((part) => part !== '')
  const stack = error !== null && (showsStacks || isDefect(error)) ? stackOf(error) : []
  return [parts.join(' '), ...stack.map((frame) => paint('dim', frame))].join('\n')
}

/** Local time: the reader compares it with the clock on the wall. */
function clock(time: number): string {
  const at = new Date(time)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

interface RequestLine extends LoggedLine {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

const isRequest = (line: LoggedLine): line is RequestLine =>
  line.msg === 'request' &&
  typeof line['method'] === 'string' &&
  typeof line['path'] === 'string' &&
  typeof line['status'] === 'number' &&
  typeof line['milliseconds'] === 'number'

function requestText({ method, path, status, milliseconds }: RequestLine, paint: Paint): string {
  const colour = statusColours[Math.floor(status / 100) as keyof typeof statusColours] ?? 'bold'
  return [
    printable(method).padEnd(METHOD),
    printable(path),
    paint(colour, String(status)),
    paint('dim', `${milliseconds.toLocaleString('en')} ms`),
  ].join(' ')
}

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly code?: unknown
}

const isError = (value: unknown): value is LoggedError =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'message' in value &&
  typeof value.message === 'string'

/** Errors that the service expects: of the database, of requests, of settings. */
const expected = new Set(['DatabaseError', 'ServiceError', 'ServiceErrors', 'StaleVersionError', 'StartError'])

/** Errors of the system (ECONNRESET) have a code. */
const isDefect = ({ type, code }: LoggedError): boolean => !expected.has(type) && typeof code !== 'string'

const stackOf = ({ stack = '' }: LoggedError): string[] =>
  stack
    .split('\n')
    .filter((frame) => /^\s+at |^caused by/u.test(frame))
    .map((frame) => `    ${printable(frame.trim())}`)

const oneLine = (text: string) => printable(text.replaceAll(/\s*\n\s*/gu, ' '))

function valueText(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en', { useGrouping: false })
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return listText(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const shown = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
  return typeof value === 'string' && /[\s"=]|^$/u.test(shown) ? JSON.stringify(shown) : printable(shown)
}

function listText(entries: readonly string[]): string {
  const shown = entries.slice(0, SHOWN_ENTRIES).map(valueText).join(',')
  return entries.length > SHOWN_ENTRIES ? `${shown} and ${entries.length - SHOWN_ENTRIES} more` : shown
}
