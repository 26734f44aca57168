// Records every response of the acceptance suite with the OpenAPI document of its caller at that moment. Loaded by
// test/openapi/run.ts into the processes of the suite, not into the service.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['OPENAPI_RECORDS'] ?? ''
const base = (process.env['BASE_URL'] ?? '').replace(/\/$/u, '')
const send = globalThis.fetch
const SPECS = '/server/specs/oas'

interface Known {
  readonly tag: string
  readonly file: string
}

const known = new Map<string, Known>()

/** The file with the document of the caller as it is now; null: there is none. */
async function documentFor(headers: Headers): Promise<string | null> {
  const own = new Headers()
  for (const name of ['authorization', 'cookie']) {
    const value = headers.get(name)
    if (value !== null) own.set(name, value)
  }
  const caller = JSON.stringify([...own])
  const before = known.get(caller)
  if (before !== undefined) own.set('if-none-match', before.tag)
  const answer = await send(`${base}${SPECS}`, { headers: own })
  if (answer.status === 304) return before?.file ?? null
  const text = await answer.text()
  if (answer.status !== 200) return null
  const tag = answer.headers.get('etag') ?? ''
  const file = `${tag.replaceAll(/\W/gu, '_')}.json`
  if (!existsSync(join(folder, file))) writeFileSync(join(folder, file), text)
  known.set(caller, { tag, file })
  return file
}

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const answer = await send(input, init)
  const url = new URL(request.url)
  if (!request.url.startsWith(base) || url.pathname === SPECS) return answer
  const type = answer.headers.get('content-type') ?? ''
  if (!/json/u.test(type) && answer.body !== null) return answer
  const text = await answer.clone().text()
  const document = await documentFor(request.headers).catch(() => null)
  const record = {
    method: request.method,
    path: url.pathname,
    query: url.search,
    status: answer.status,
    type,
    text,
    document,
  }
  if (document !== null && text.length < 1024 ** 2)
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(record)}\n`)
  return answer
}
