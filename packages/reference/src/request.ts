/** What a filled form asks for. */
export interface Asked {
  readonly method: string
  readonly path: string
  /** By name, as they are written. Empty ones are left out. */
  readonly inPath: Readonly<Record<string, string>>
  readonly inQuery: Readonly<Record<string, string>>
  readonly body: string | null
  readonly isDryRun: boolean
  readonly hasToken: boolean
}

/** The address below the service. */
export function addressOf({ path, inPath, inQuery }: Asked): string {
  // A key of several parts has commas between them.
  const key = (name: string) => encodeURIComponent(inPath[name] ?? '').replaceAll('%2C', ',')
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => key(name))
  const query = Object.entries(inQuery)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${filled}${query === '' ? '' : `?${query}`}`
}

export const headersOf = ({ body, isDryRun }: Asked): Readonly<Record<string, string>> => ({
  ...(body === null ? {} : { 'content-type': 'application/json' }),
  ...(isDryRun ? { prefer: 'tx=rollback' } : {}),
})

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same as a command. The token is a variable, so that the command can be passed on. */
export function curlOf(asked: Asked, service: string): string {
  const { method, body, hasToken } = asked
  const headers = Object.entries(headersOf(asked)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${service}${addressOf(asked)}`)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers,
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}
