import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../sql/driver.ts'
import { logText, type LoggedLine } from './log-text.ts'

const plain = { paint: (_: string, text: string) => text, showsStacks: false }
const painted = { paint: (colour: string, text: string) => `<${colour}>${text}</>`, showsStacks: false }

/** Local time, so that the text is the same in every time zone. */
const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
const process = { time, pid: 7, hostname: 'host' }

const request = (status: number, more: object = {}): LoggedLine => ({
  ...process,
  level: status >= 500 ? 50 : 30,
  requestId: 'a4d1',
  method: 'GET',
  path: '/items/articles',
  status,
  milliseconds: 3.2,
  msg: 'request',
  ...more,
})

/** The line that the logger of a service writes, read back. */
function logged(write: (logger: pino.Logger) => void): LoggedLine {
  let text = ''
  const options = { level: 'trace', serializers: { error: pino.stdSerializers.err } }
  write(pino(options, { write: (line) => void (text = line) }))
  return { ...(JSON.parse(text) as LoggedLine), time }
}

describe('a request', () => {
  test('shows time, method, path, status and duration', () => {
    expect(logText(request(200), plain)).toBe('03:04:05 GET    /items/articles 200 3.2 ms')
    expect(logText(request(204, { method: 'DELETE', milliseconds: 1204.5 }), plain)).toBe(
      '03:04:05 DELETE /items/articles 204 1,204.5 ms',
    )
  })

  test.each([
    [200, 'green'],
    [304, 'cyan'],
    [404, 'yellow'],
    [500, 'red'],
  ])('with status %i is %s', (status, colour) => {
    expect(logText(request(status), painted)).toContain(`<${colour}>${status}</>`)
  })

  test('cannot send commands to the terminal', () => {
    expect(logText(request(404, { path: '/\u001b[2J' }), plain)).toContain('/\\u{1b}[2J')
  })
})

describe('an event', () => {
  test('shows its message and its values', () => {
    const line = { ...process, level: 30, collections: 12, version: 1, msg: 'schema loaded' }
    expect(logText(line, plain)).toBe('03:04:05 schema loaded collections=12 version=1')
  })

  test.each([
    [20, 'debug'],
    [40, 'warn'],
    [50, 'error'],
    [60, 'fatal'],
  ])('of level %i shows the word %s', (level, word) => {
    expect(logText({ ...process, level, msg: 'x' }, plain)).toBe(`03:04:05 ${word} x`)
  })

  test('quotes values with spaces, leaves out null and shortens long lists', () => {
    const values = { reason: 'no right', column: null, names: Array.from({ length: 10 }, (_, index) => `t${index}`) }
    expect(logText({ ...process, level: 30, msg: 'x', ...values }, plain)).toBe(
      '03:04:05 x reason="no right" names=t0,t1,t2,t3,t4,t5,t6,t7 and 2 more',
    )
  })

  test('is one line', () => {
    const text = logText({ ...process, level: 30, msg: 'a\nb', value: 'c\nd', object: { e: 'f\ng' } }, plain)
    expect(text).not.toContain('\n')
  })
})

describe('an error', () => {
  const refused = logged((logger) =>
    logger.warn({ error: new DatabaseError('unavailable', 'connection\n refused') }, 'schema poll failed'),
  )
  const defect = logged((logger) => logger.error({ error: new TypeError('x is not a function') }, 'request failed'))

  test('that the service expects is one line', () => {
    expect(logText(refused, plain)).toBe('03:04:05 warn schema poll failed: connection refused')
  })

  test('that is a defect shows its stack below', () => {
    const [first, second] = logText(defect, plain).split('\n')
    expect(first).toBe('03:04:05 error request failed: x is not a function')
    expect(second).toMatch(/^ {4}at .*log-text\.test\.ts/u)
  })

  test('shows its stack at the levels debug and trace', () => {
    expect(logText(refused, { ...plain, showsStacks: true })).toMatch(/connection refused\n {4}at /u)
  })

  test('of the system is one line', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    expect(
      logText(
        logged((logger) => logger.error({ error: reset }, 'x')),
        plain,
      ),
    ).not.toContain('\n')
  })
})
