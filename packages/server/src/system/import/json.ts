import { invalidPayload, type ServiceError } from '@tain/contract'
import { DEEPEST_JSON, isTooDeep, parseExactJson } from '../../lib/exact-json.ts'
import type { Payload } from '../../query/mutation.ts'
import { MAX_ROW, readText } from './text.ts'

/** A JSON list of objects → one payload per object, with at most one of them in memory. */
export async function* jsonRows(content: AsyncIterable<Buffer>): AsyncGenerator<Payload | ServiceError> {
  for await (const text of splitList(readText(content))) yield rowOf(text)
}

function rowOf(text: string): Payload | ServiceError {
  if (isTooDeep(text)) return invalidPayload(`It nests more than ${DEEPEST_JSON} levels deep`)
  try {
    return parseExactJson(text) as Payload
  } catch {
    return invalidPayload('It is no valid JSON')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const noList = () => invalidPayload('The file has to be one JSON list of objects')

/** The reader's position between the objects of the list. */
type Place = 'before' | 'first' | 'next' | 'after-item' | 'after'

const steps: Readonly<Record<Place, Readonly<Record<number, Place | 'item'>>>> = {
  before: { [OPEN_BRACKET]: 'first' },
  first: { [OPEN_BRACE]: 'item', [CLOSE_BRACKET]: 'after' },
  next: { [OPEN_BRACE]: 'item' },
  'after-item': { [COMMA]: 'next', [CLOSE_BRACKET]: 'after' },
  after: {},
}

/** The text of each top-level object; only brackets, braces and quotes are examined. */
export async function* splitList(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let place: Place = 'before'
  let item = startItem()
  let isInside = false
  for await (const chunk of chunks) {
    let at = 0
    while (at < chunk.length) {
      if (isInside) {
        const end = scanItem(item, chunk, at)
        item.text += chunk.slice(at, end)
        at = end
        if (item.text.length > MAX_ROW) throw invalidPayload('An item is too large')
        if (item.depth > 0) continue
        yield item.text
        item = startItem()
        isInside = false
        place = 'after-item'
        continue
      }
      const code = chunk.charCodeAt(at)
      if (isSpace(code)) {
        at += 1
        continue
      }
      const step: Place | 'item' | undefined = steps[place][code]
      if (step === undefined) throw noList()
      if (step === 'item') isInside = true
      else {
        place = step
        at += 1
      }
    }
  }
  if (place !== 'after') throw noList()
}

interface Item {
  text: string
  depth: number
  isString: boolean
  isEscaped: boolean
}

const startItem = (): Item => ({ text: '', depth: 0, isString: false, isEscaped: false })

/** Scans until the object closes or the chunk ends, and returns that position. */
function scanItem(item: Item, chunk: string, from: number): number {
  let { depth, isString, isEscaped } = item
  let at = from
  for (; at < chunk.length; at += 1) {
    const code = chunk.charCodeAt(at)
    if (isString) {
      if (isEscaped) isEscaped = false
      else if (code === BACKSLASH) isEscaped = true
      else if (code === QUOTE) isString = false
    } else if (code === QUOTE) isString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 0) {
        at += 1
        break
      }
    }
  }
  item.depth = depth
  item.isString = isString
  item.isEscaped = isEscaped
  return at
}
