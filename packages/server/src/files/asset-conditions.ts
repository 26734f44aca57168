import { hasTag } from '../lib/entity-tags.ts'
import { rangeOf, type ByteRange } from './byte-range.ts'

/** The content that a request asks for. */
export interface Content {
  /** A strong entity tag, in quotes. */
  readonly tag: string
  readonly modified: Date
  readonly size: number
  /** Pictures that are made on request have no parts. */
  readonly hasRanges: boolean
}

export type Decision =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: ByteRange }
  | { readonly status: 304 }
  | { readonly status: 416 }

type ConditionName = 'if-none-match' | 'if-modified-since' | 'if-range' | 'range'
type Conditions = Readonly<Partial<Record<ConditionName, string | undefined>>>

/** What of the content is sent, in the order of RFC 9110, 13.2.2: first whether it is known, then which part. */
export function decide(headers: Conditions, content: Content): Decision {
  if (isKnown(headers, content)) return { status: 304 }
  if (!content.hasRanges || !isSameForRange(headers['if-range'], content)) return { status: 200 }
  const range = rangeOf(headers.range, content.size)
  if (range === 'whole') return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}

/** A date counts only where no tag is sent: it is exact to the second alone. */
function isKnown(headers: Conditions, { tag, modified }: Content): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return hasTag(tags, tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && secondsOf(modified) <= secondsOf(new Date(since))
}

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

/** Parts of different contents must not be put together: only a strong tag will do, or the very date. */
function isSameForRange(header: string | undefined, { tag, modified }: Content): boolean {
  if (header === undefined) return true
  const value = header.trim()
  if (value.startsWith('"') || value.startsWith('W/')) return value === tag
  return Date.parse(value) === secondsOf(modified) * 1000
}
