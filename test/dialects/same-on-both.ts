import { expect, test } from 'vitest'
import type { TestDatabase } from '../lib/databases.ts'
import { dataOf, type Service } from '../lib/service.ts'

/** Behaviour that MariaDB and SQLite share and PostgreSQL does not. Needs an empty table `words (id, word)`. */
export function sameOnBoth(stage: () => { readonly service: Service; readonly database: TestDatabase }): void {
  test('case is folded in every alphabet', async () => {
    const { service } = stage()
    await service.send('POST', '/items/words', [{ word: 'École' }, { word: 'ЖУК' }, { word: 'other' }])
    for (const [term, found] of [
      ['éCOLE', 'École'],
      ['жук', 'ЖУК'],
    ]) {
      const rows = await service.get(
        `/items/words?fields=word&filter[word][_icontains]=${encodeURIComponent(term ?? '')}`,
      )
      expect(dataOf(rows)).toEqual([{ word: found }])
    }
  })

  test('an ETag is a hash of the row: values that come back bring it back', async () => {
    const { service } = stage()
    const { id } = dataOf(await service.send('POST', '/items/words', { word: 'one' })) as { id: number }
    const tag = async () => (await service.get(`/items/words/${id}`)).headers.get('etag')
    const first = await tag()
    await service.send('PATCH', `/items/words/${id}`, { word: 'two' })
    expect(await tag()).not.toBe(first)
    await service.send('PATCH', `/items/words/${id}`, { word: 'one' })
    expect(await tag()).toBe(first)
  })

  test('what a revision tells of a change has moments as responses show them', async () => {
    const { service } = stage()
    const { id } = dataOf(await service.send('POST', '/items/words', { word: 'now' })) as { id: number }
    await service.send('PATCH', `/items/words/${id}`, { made: '2024-02-01T10:00:00+02:00' })
    const filter = `filter[collection][_eq]=words&filter[item][_eq]=${id}`
    expect(dataOf(await service.get(`/revisions?${filter}&sort=-id&limit=1&fields=delta`))).toEqual([
      { delta: { made: '2024-02-01T08:00:00.000Z' } },
    ])
  })
}
