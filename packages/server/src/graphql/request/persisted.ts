import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { invalidPayload, ServiceError } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import type { GraphqlConfig } from '../../config/graphql.ts'
import { refused } from './document.ts'

/** Finds the document of a request: by its text, or by the hash of a known document. */
export interface Persisted {
  readonly textOf: (query: unknown, extensions: unknown) => string
  /** Caches a valid document that came with its hash. */
  readonly keep: (text: string, extensions: unknown) => void
}

const KEPT = 1000
const KEPT_LENGTH = 16_384

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Documents of the list by hash; their names in the file are ignored. */
function readList(file: string | null): ReadonlyMap<string, string> {
  if (file === null) return new Map()
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
  const texts = Object.values(parsed).filter((text) => typeof text === 'string')
  return new Map(texts.map((text) => [hashOf(text), text]))
}

export function createPersisted({
  graphqlPersisted: mode,
  graphqlPersistedFile: file,
}: Pick<GraphqlConfig, 'graphqlPersisted' | 'graphqlPersistedFile'>): Persisted {
  const list = readList(file)
  const sent = new LRUCache<string, string>({ max: KEPT })
  return {
    textOf(query, extensions) {
      const hash = mode === 'off' ? null : hashIn(extensions)
      const text = typeof query === 'string' && query.trim() !== '' ? query : null
      if (text === null) {
        if (hash === null) throw invalidPayload('Must provide query string')
        const known = list.get(hash) ?? (mode === 'only' ? undefined : sent.get(hash))
        if (known === undefined) throw new ServiceError('PERSISTED_QUERY_NOT_FOUND')
        return known
      }
      if (hash !== null && hashOf(text) !== hash) throw invalidPayload('The hash is not that of the query')
      if (mode === 'only' && !list.has(hashOf(text)))
        throw refused([new Error('Only documents of the list are accepted here.')])
      return text
    },
    keep(text, extensions) {
      const hash = mode === 'on' ? hashIn(extensions) : null
      if (hash !== null && text.length <= KEPT_LENGTH) sent.set(hash, text)
    },
  }
}

/** `extensions: {persistedQuery: {version: 1, sha256Hash}}` */
function hashIn(extensions: unknown): string | null {
  if (typeof extensions !== 'object' || extensions === null || !('persistedQuery' in extensions)) return null
  const { persistedQuery } = extensions
  if (typeof persistedQuery !== 'object' || persistedQuery === null)
    throw invalidPayload('"persistedQuery" is no object')
  const { version, sha256Hash: hash } = persistedQuery as Readonly<Record<string, unknown>>
  if (version !== 1 || typeof hash !== 'string' || !/^[\da-f]{64}$/iu.test(hash))
    throw invalidPayload('"persistedQuery" needs version 1 and a SHA-256 hash in hexadecimal digits')
  return hash.toLowerCase()
}
