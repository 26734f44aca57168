import { totp } from '../service/accounts.ts'
import type { TestDialect } from '../lib/databases.ts'
import { blockOf, expectedOf, mismatch, type Response } from './expected.ts'
import { examplesOf, type Example } from './examples.ts'
import type { Page } from './pages.ts'
import { runProgram } from './programs.ts'
import { requestOf, type ExampleRequest } from './request.ts'
import { ADMIN_TOKEN, startWorld, type World } from './world.ts'

/** Settings of a page: `<!-- settings: RATE_LIMITER_ENABLED=true -->`. */
const settingsOf = ({ lines }: Page): Record<string, string> =>
  Object.fromEntries(
    lines
      .flatMap((line) => /^<!-- settings: (.*) -->$/u.exec(line)?.[1]?.split(' ') ?? [])
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )

type Saved = Map<string, string>

/** `{{name}}` is a value that an earlier example saved, `{{otp:name}}` the current code of a saved secret. */
const filled = (text: string, saved: Saved): string =>
  text.replaceAll(/\{\{(otp:)?([\w-]+)\}\}/gu, (_, otp: string | undefined, name: string) => {
    const value = saved.get(name)
    if (value === undefined) throw new Error(`no example saved {{${name}}}`)
    return otp === undefined ? value : totp(value)
  })

async function send(request: ExampleRequest, { url }: World, isAnonymous: boolean): Promise<Response> {
  const isIdentified = isAnonymous || Object.hasOwn(request.headers, 'authorization') || 'cookie' in request.headers
  const response = await fetch(`${url}${request.path}`, {
    method: request.method,
    redirect: 'manual',
    headers: { ...(isIdentified ? {} : { authorization: `Bearer ${ADMIN_TOKEN}` }), ...request.headers },
    ...(request.body === null ? {} : { body: request.body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** `save=token:data.access_token` keeps a part of the response; `save=cookie:cookie` its cookies. */
function save(option: string | undefined, { headers, text }: Response, saved: Saved): void {
  for (const word of option?.split(',') ?? []) {
    const [name = '', path = ''] = word.split(':')
    const steps = path.split('.')
    const value =
      path === 'cookie'
        ? headers
            .getSetCookie()
            .map((cookie) => cookie.split(';', 1)[0])
            .join('; ')
        : path === 'etag'
          ? headers.get('etag')
          : steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | null)?.[step], JSON.parse(text))
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`the response has no ${path}`)
    saved.set(name, String(value))
  }
}

const NO_CONTENT: Response = { status: 200, headers: new Headers(), text: '' }

async function perform({ block }: Example, world: World, saved: Saved): Promise<Response> {
  const text = filled(block.lines.join('\n'), saved)
  const said = { ...block, lines: text.split('\n') }
  if (block.language === 'sql') {
    await world.database.query(text)
    return NO_CONTENT
  }
  if (block.language === 'js' || (block.language === 'sh' && !text.startsWith('curl'))) return runProgram(said, world)
  const response = await send(requestOf(said), world, block.options['as'] === 'public')
  save(block.options['save'], response, saved)
  return response
}

function check({ expected }: Example, response: Response): string | null {
  if (expected !== null) return mismatch(expectedOf(expected), response)
  return response.status < 300 ? null : `the status is ${response.status}: ${response.text}`
}

export interface PageResult {
  /** One line per failed example: page, line and difference. */
  readonly failures: readonly string[]
  /** The page with the real responses. */
  readonly text: string
}

/** Runs the examples of a page in order, on one database. */
export async function runPage(page: Page, dialect: TestDialect): Promise<PageResult> {
  const world = await startWorld(dialect, settingsOf(page))
  const [saved, failures, lines]: [Saved, string[], (string | null)[]] = [new Map(), [], [...page.lines]]
  try {
    for (const example of examplesOf(page)) {
      const { block, expected } = example
      if (block.options['only'] !== undefined && block.options['only'] !== dialect) continue
      try {
        const response = await perform(example, world, saved)
        const problem = check(example, response)
        if (problem === null) continue
        failures.push(`${page.path}:${block.start}: ${problem}`)
        if (expected === null) continue
        lines.fill(null, expected.start - 1, expected.end)
        lines[expected.start - 1] = blockOf(expected, response).join('\n')
      } catch (error) {
        failures.push(`${page.path}:${block.start}: ${(error as Error).message}`)
      }
    }
  } finally {
    await world.close()
  }
  return { failures, text: lines.filter((line) => line !== null).join('\n') }
}
