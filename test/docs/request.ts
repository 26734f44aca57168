import type { Block } from './pages.ts'

/** A request as an example writes it. The path is encoded. */
export interface ExampleRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The address that examples with curl use. */
export const ADDRESS = 'http://127.0.0.1:8055'

/** Pages show addresses as people read them: `filter={"id":…}`, not percent-encoded. */
const encoded = (path: string) => encodeURI(path).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']')

const isJson = (body: string | null) => body !== null && /^\s*[[{]/u.test(body)

function withContentType(request: ExampleRequest): ExampleRequest {
  if (!isJson(request.body) || Object.hasOwn(request.headers, 'content-type')) return request
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' } }
}

/** A request line, which may continue on lines that begin with `?` or `&`; headers; a blank line; a body. */
function httpRequest({ lines }: Block): ExampleRequest {
  const blank = lines.indexOf('')
  const head = blank === -1 ? lines : lines.slice(0, blank)
  const body = blank === -1 ? null : lines.slice(blank + 1).join('\n')
  const isContinued = (line: string) => /^\s*[?&]/u.test(line)
  const [method = '', ...address] = head
    .filter((line, index) => index === 0 || isContinued(line))
    .map((line) => line.trim())
    .join('')
    .split(' ')
  const headers = head
    .slice(1)
    .filter((line) => !isContinued(line))
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const)
  return withContentType({ method, path: encoded(address.join(' ')), headers: Object.fromEntries(headers), body })
}

const graphqlRequest = ({ lines, options }: Block): ExampleRequest =>
  withContentType({
    method: 'POST',
    path: options['path'] ?? '/graphql',
    headers: {},
    body: JSON.stringify({ query: lines.join('\n') }),
  })

/** Words of a command line, with quotes and continued lines. */
export const shellWords = (text: string): string[] =>
  [...text.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/gu, (_, single?: string, double?: string) => single ?? double ?? ''),
  )

function curlRequest({ lines }: Block): ExampleRequest {
  const words = shellWords(lines.join('\n')).slice(1)
  const headers: Record<string, string> = {}
  let [method, path, body]: [string | null, string, string | null] = [null, '', null]
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-X') method = words.shift() ?? ''
    else if (word === '-d') body = words.shift() ?? ''
    else if (word === '-H') {
      const header = words.shift() ?? ''
      headers[header.slice(0, header.indexOf(':')).toLowerCase()] = header.slice(header.indexOf(':') + 1).trim()
    } else if (word.startsWith(ADDRESS)) path = encoded(word.slice(ADDRESS.length))
    else if (word !== '-g' && word !== '-s') throw new Error(`examples cannot use ${word}`)
  }
  return { method: method ?? (body === null ? 'GET' : 'POST'), path, headers, body }
}

const readers: Readonly<Record<string, (block: Block) => ExampleRequest>> = {
  http: httpRequest,
  graphql: graphqlRequest,
  sh: curlRequest,
}

/** The request of an executable block. */
export function requestOf(block: Block): ExampleRequest {
  const read = readers[block.language]
  if (read === undefined) throw new Error(`an example of ${block.language} cannot be run`)
  return read(block)
}
