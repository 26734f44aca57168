import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createPersisted } from './persisted.ts'

const text = '{ articles { id } }'
const hash = createHash('sha256').update(text).digest('hex')
const extensions = { persistedQuery: { version: 1, sha256Hash: hash } }

const folder = mkdtempSync(join(tmpdir(), 'tain-persisted-'))
const file = join(folder, 'documents.json')
writeFileSync(file, JSON.stringify({ articles: text }))
afterAll(() => rmSync(folder, { recursive: true }))

describe('persisted documents', () => {
  test('a document that came with its hash is found by the hash alone', () => {
    const persisted = createPersisted({ graphqlPersisted: 'on', graphqlPersistedFile: null })
    expect(() => persisted.textOf(undefined, extensions)).toThrow('PersistedQueryNotFound')
    expect(persisted.textOf(text, extensions)).toBe(text)
    persisted.keep(text, extensions)
    expect(persisted.textOf(undefined, extensions)).toBe(text)
  })

  test('a document is kept only once it is known to be valid', () => {
    const persisted = createPersisted({ graphqlPersisted: 'on', graphqlPersistedFile: null })
    persisted.textOf(text, extensions)
    expect(() => persisted.textOf(undefined, extensions)).toThrow('PersistedQueryNotFound')
  })

  test('a hash of another text is refused', () => {
    const persisted = createPersisted({ graphqlPersisted: 'on', graphqlPersistedFile: null })
    expect(() => persisted.textOf('{ tags { id } }', extensions)).toThrow('The hash is not that of the query')
  })

  test('with a list as the only source, other documents are refused and none is kept', () => {
    const persisted = createPersisted({ graphqlPersisted: 'only', graphqlPersistedFile: file })
    expect(persisted.textOf(undefined, extensions)).toBe(text)
    expect(persisted.textOf(text, undefined)).toBe(text)
    expect(() => persisted.textOf('{ tags { id } }', undefined)).toThrow('GraphQL validation error.')
  })

  test('switched off, hashes are ignored', () => {
    const persisted = createPersisted({ graphqlPersisted: 'off', graphqlPersistedFile: null })
    expect(persisted.textOf(text, { persistedQuery: 'nonsense' })).toBe(text)
    expect(() => persisted.textOf('', extensions)).toThrow('Must provide query string')
  })
})
