import { STATUS_CODES } from 'node:http'
import { difference, elided, printJson, textMatches } from './compare.ts'
import type { Block } from './pages.ts'

export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The response that a page shows: status, headers and body. */
export interface Expected {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly isJson: boolean
}

const isJsonBlock = ({ language }: Block) => language === 'json' || language === 'jsonc'

/** JSON begins with comments for status and headers (`// 403 Forbidden`); other text begins with `204 No Content`. */
export function expectedOf(block: Block): Expected {
  const isJson = isJsonBlock(block)
  const isHead = (line: string) => (isJson ? line.startsWith('// ') : /^(?:\d{3} [A-Z]|[A-Z][A-Za-z-]+: )/u.test(line))
  const size = block.lines.findIndex((line) => !isHead(line))
  const head = (size === -1 ? block.lines : block.lines.slice(0, size)).map((line) => line.replace(/^\/\/ /u, ''))
  const status = head.find((line) => /^\d{3}\b/u.test(line))
  const headers = head
    .filter((line) => !/^\d{3}\b/u.test(line))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const)
  const body = block.lines.slice(head.length).join('\n')
  return { status: status === undefined ? 200 : Number.parseInt(status, 10), headers, body, isJson }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How a response differs from the page, or null. */
export function mismatch({ status, headers, body, isJson }: Expected, response: Response): string | null {
  if (response.status !== status)
    return `the status is ${response.status}, the page says ${status}: ${response.text.slice(0, 500)}`
  for (const [name, value] of headers) {
    const actual = response.headers.get(name)
    if (actual === null || !textMatches(value, actual)) return `${name} is ${actual}, the page says ${value}`
  }
  if (!isJson) return textMatches(body.trim(), response.text.trim()) ? null : `the response is:\n${response.text}`
  if (body.trim() === '') return response.text === '' ? null : `the response is ${response.text}`
  const expected = parsed(body)
  return expected === undefined ? 'the block is not JSON' : difference(expected, parsed(response.text))
}

/** The lines of a block that shows this response. */
export function blockOf(before: Block, response: Response): string[] {
  const { headers, body, isJson } = expectedOf(before)
  const actual = parsed(response.text)
  const mark = isJson ? '// ' : ''
  const isPlain = response.status === 200 && headers.length === 0
  const head = [
    ...(isPlain ? [] : [`${mark}${response.status} ${STATUS_CODES[response.status] ?? ''}`]),
    ...headers.map(([name, value]) => {
      const sent = response.headers.get(name) ?? ''
      return `${mark}${name}: ${textMatches(value, sent) ? value : sent}`
    }),
  ]
  if (isJson && actual !== undefined) {
    const language = isPlain ? 'json' : 'jsonc'
    return [`\`\`\`${language}`, ...head, ...printJson(elided(actual, parsed(body))).split('\n'), '```']
  }
  const isSame = textMatches(body.trim(), response.text.trim())
  const text = isSame ? body.trimEnd() : response.text.trimEnd()
  const language = isJson ? 'text' : before.language
  const plainHead = head.map((line) => line.replace(/^\/\/ /u, ''))
  return [`\`\`\`${language}`, ...plainHead, ...(text === '' ? [] : text.split('\n')), '```']
}
