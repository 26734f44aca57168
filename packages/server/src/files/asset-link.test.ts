import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openedLink, signedQuery, type AssetLink } from './asset-link.ts'

const key = randomBytes(32)
const NOW = 1_800_000_000
const link: AssetLink = {
  id: randomUUID(),
  user: randomUUID(),
  expires: NOW + 60,
  parameters: [
    ['width', '30'],
    ['download', ''],
  ],
}
const signed = () => new URLSearchParams(signedQuery(link, 'first', key))

test('a link opens what it was made for', () => {
  expect(openedLink(link.id, signed(), key, NOW)).toMatchObject(link)
})

test('the order of its parameters does not matter', () => {
  const turned = new URLSearchParams([...signed()].toReversed())
  expect(openedLink(link.id, turned, key, NOW)).toMatchObject({ id: link.id })
})

test('it ends', () => {
  expect(openedLink(link.id, signed(), key, NOW + 59)).not.toBeNull()
  expect(openedLink(link.id, signed(), key, NOW + 60)).toBeNull()
})

test('it is of one generation of the links of its maker', () => {
  const opened = openedLink(link.id, signed(), key, NOW)
  expect([opened?.isOf('first'), opened?.isOf('second')]).toEqual([true, false])
})

describe('it opens nothing else', () => {
  const changes: Readonly<Record<string, (query: URLSearchParams) => void>> = {
    'a later end': (query) => query.set('expires', String(link.expires + 1)),
    'an end that is no number': (query) => query.set('expires', '1e12'),
    'another maker': (query) => query.set('user', randomUUID()),
    'another signature': (query) => query.set('signature', 'A'.repeat(59)),
    'the mark of another generation': (query) => {
      const later = new URLSearchParams(signedQuery(link, 'second', key)).get('signature') ?? ''
      query.set('signature', `${later.slice(0, 16)}${query.get('signature')?.slice(16)}`)
    },
    'no signature': (query) => query.delete('signature'),
    'two signatures': (query) => query.append('signature', query.get('signature') ?? ''),
    'another parameter': (query) => query.set('width', '80'),
    'a parameter less': (query) => query.delete('width'),
    'a parameter twice': (query) => query.append('width', '80'),
    'a parameter more': (query) => query.append('format', 'webp'),
  }
  test.each(Object.entries(changes))('with %s', (_, change) => {
    const query = signed()
    change(query)
    expect(openedLink(link.id, query, key, NOW)).toBeNull()
  })

  test('as another file, or under another key', () => {
    expect(openedLink(randomUUID(), signed(), key, NOW)).toBeNull()
    expect(openedLink(link.id, signed(), randomBytes(32), NOW)).toBeNull()
  })
})
