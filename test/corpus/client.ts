// Sends requests as an administrator. Every response must be JSON, and no response may have status 500.
import { TOKEN, type Service } from '../lib/service.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly call: Call
  readonly status: number
  readonly text: string
  readonly json: unknown
}

export type Row = Readonly<Record<string, unknown>>

export interface Client {
  readonly send: (call: Call) => Promise<Reply>
  readonly search: (collection: string, query: object) => Promise<Reply>
  /** The number of requests sent. */
  readonly count: () => number
}

export interface Fault {
  readonly what: string
  readonly reply: Reply
}

const NO_JSON = 0

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function createClient(service: Service, report: (fault: Fault) => void): Client {
  let count = 0
  const send = async (call: Call): Promise<Reply> => {
    count += 1
    const { headers = {} } = call
    const { status, text, body } = await service.send(call.method, call.path, call.body, { headers })
    const isBroken = text !== '' && !isJson(text)
    // A response that is not JSON is unusable, whatever its status.
    const reply = { call, status: isBroken ? NO_JSON : status, text, json: body }
    if (status >= 500) report({ what: `status ${status}`, reply })
    else if (isBroken) report({ what: 'no valid JSON', reply })
    return reply
  }
  return {
    send,
    search: (collection, query) =>
      send({ method: 'SEARCH', path: `/items/${encodeURIComponent(collection)}`, body: { query } }),
    count: () => count,
  }
}

/** The rows of a successful response. */
export const rowsOf = ({ json }: Reply): readonly Row[] => (json as { data: readonly Row[] }).data

export const rowOf = ({ json }: Reply): Row => (json as { data: Row }).data

export const metaOf = ({ json }: Reply): Row => (json as { meta?: Row }).meta ?? {}

/** A short summary of an error response: status, code and message. */
export function refusalOf({ status, json, text }: Reply): string {
  const [error] =
    (json as { errors?: { message: string; extensions?: { code?: string; reason?: string } }[] } | undefined)?.errors ??
    []
  if (error === undefined) return `${status} ${text.slice(0, 200)}`
  const { code = '', reason = '' } = error.extensions ?? {}
  return `${status} ${code}: ${error.message} ${reason}`.trim().slice(0, 400)
}

const shell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `$TAIN` is the URL on which `npm run verify corpus -- --serve NAME` listens. */
export function curlOf({ method, path, body, headers = {} }: Call): string {
  const lines = {
    authorization: `Bearer ${TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const options = Object.entries(lines).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`-d ${shell(JSON.stringify(body))}`]
  return ['curl -sg', `-X ${method}`, ...options, ...data, `"$TAIN"${shell(path)}`].join(' ')
}

/** Escapes a name for `fields`, `sort` and `groupBy`. */
export const pathName = (name: string): string => name.replaceAll(/[\\.,:() -]/gu, String.raw`\$&`)

export const itemPath = (collection: string, key: readonly unknown[]): string =>
  `/items/${encodeURIComponent(collection)}/${key.map((part) => encodeURIComponent(String(part))).join(',')}`
