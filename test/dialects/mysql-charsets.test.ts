import { describe, expect, test } from 'vitest'
import { dataOf, TOKEN, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Columns whose character set does not contain all characters. */
describe('columns of other character sets', () => {
  const sets = ['latin1', 'utf8mb3', 'ascii', 'ucs2', 'sjis', 'cp1251'] as const
  /** A text that the character set can store, and one that it cannot. */
  const texts: Readonly<Record<(typeof sets)[number], readonly [kept: string, lost: string]>> = {
    latin1: ['é', '日本'],
    utf8mb3: ['日本', 'A😀B'],
    ascii: ['z', 'é'],
    ucs2: ['日本', '😀'],
    sjis: ['日本', '😀'],
    cp1251: ['Жук', '日'],
  }

  const { database, service } = useWorld({
    dialect: 'mysql',
    tables: async (database) => {
      const tables = sets.map((set) => {
        const text = `varchar(20) character set ${set}`
        return `
        create table ${set} (id int auto_increment primary key, word ${text}, kind ${text}, unique (kind));
        create table keyed_${set} (code ${text} primary key, owner int, size int, body text character set ${set},
          foreign key (owner) references ${set} (id));
        insert into ${set} (word) values (null), ('?'), ('??'), ('A?B');
        insert into keyed_${set} values ('?', 2, 1, '?'), ('??', 2, 2, '??'), ('A?B', 2, 3, 'A?B');`
      })
      await database.query(tables.join(''))
      for (const set of sets)
        await database.query(`insert into ${set} (word) values ('${texts[set][0]}');
        insert into keyed_${set} values ('${texts[set][0]}', 2, 4, '${texts[set][0]}')`)
    },
  })

  const stored = async (set: string) => [
    await database.query(`select id, word, kind from ${set} order by id`),
    await database.query(`select code, owner, size, body from keyed_${set} order by size`),
  ]

  const refusal = (field: string) => ({ errors: [{ extensions: { code: 'INVALID_PAYLOAD', field } }] })

  describe.each(sets)('%s', (set) => {
    const [kept, lost] = texts[set]

    test('refuses a text that it cannot hold, and names the field', async () => {
      const before = await stored(set)
      const refused = async (answer: Promise<Answer>, field: string) => {
        const { status, body } = await answer
        expect({ status, body }).toMatchObject({ status: 400, body: refusal(field) })
      }
      await refused(service.send('POST', `/items/${set}`, { word: lost }), 'word')
      await refused(service.send('POST', `/items/${set}`, [{ word: kept }, { word: `a${lost}` }]), 'word')
      await refused(service.send('POST', `/items/${set}`, { word: 'a', [`keyed_${set}`]: [{ code: lost }] }), 'code')
      await refused(service.send('POST', `/items/${set}`, { [`keyed_${set}`]: [{ code: 'c', body: lost }] }), 'body')
      await refused(service.send('PATCH', `/items/${set}/3`, { word: `${lost}a` }), 'word')
      await refused(service.send('PATCH', `/items/${set}`, { keys: [2, 3], data: { word: lost } }), 'word')
      await refused(service.send('PATCH', `/items/${set}`, { all: true, data: { word: lost } }), 'word')
      await refused(service.send('PUT', `/items/${set}?on_conflict=kind`, { kind: lost, word: 'a' }), 'kind')
      await refused(service.send('PUT', `/items/keyed_${set}/${encodeURIComponent(lost)}`, { size: 9 }), 'code')
      const form = new FormData()
      form.set(
        'file',
        new Blob([JSON.stringify([{ word: kept }, { word: lost }])], { type: 'application/json' }),
        'a.json',
      )
      const imported = await fetch(`${service.url}/utils/import/${set}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: form,
      })
      expect({ status: imported.status, body: await imported.json() }).toMatchObject({
        status: 400,
        body: refusal('word'),
      })
      const { body } = await service.send('POST', '/graphql', {
        query: `mutation ($word: String) { create_${set}_item(data: { word: $word }) { id } }`,
        variables: { word: lost },
      })
      expect(body).toMatchObject(refusal('word'))
      expect(await stored(set)).toEqual(before)
    })

    test('finds nothing by such a text, and everything by what differs from it', async () => {
      const sizes = async (filter: object) => {
        const found = dataOf(await service.search(`keyed_${set}`, { fields: ['size'], filter, sort: ['size'] }))
        return (found as { size: number }[]).map(({ size }) => size)
      }
      for (const field of ['code', 'body']) {
        for (const operator of [
          '_eq',
          '_contains',
          '_icontains',
          '_starts_with',
          '_istarts_with',
          '_ends_with',
          '_iends_with',
        ])
          expect([operator, await sizes({ [field]: { [operator]: lost } })]).toEqual([operator, []])
        for (const operator of ['_neq', '_ncontains', '_nstarts_with', '_nistarts_with', '_nends_with', '_niends_with'])
          expect([operator, await sizes({ [field]: { [operator]: lost } })]).toEqual([operator, [1, 2, 3, 4]])
        expect(await sizes({ [field]: { _in: [lost] } })).toEqual([])
        expect(await sizes({ [field]: { _in: [lost, kept] } })).toEqual([4])
        expect(await sizes({ [field]: { _nin: [lost] } })).toEqual([1, 2, 3, 4])
        expect(await sizes({ [field]: { _nin: [lost, '?', kept] } })).toEqual([2, 3])
        expect(await sizes({ [field]: { _eq: kept } })).toEqual([4])
        expect(await sizes({ [field]: { _contains: kept } })).toEqual([4])
        expect(await sizes({ [field]: { _starts_with: '?' } })).toEqual([1, 2])
      }
      expect(dataOf(await service.search(`keyed_${set}`, { search: lost }))).toEqual([])
      expect(dataOf(await service.search(`keyed_${set}`, { search: kept, fields: ['size'] }))).toEqual([{ size: 4 }])
      const byOwner = { [`keyed_${set}`]: { code: { _eq: lost } } }
      expect(dataOf(await service.search(set, { filter: byOwner }))).toEqual([])
    })

    test('has no item under such a key', async () => {
      const address = `/items/keyed_${set}/${encodeURIComponent(lost)}`
      expect((await service.get(address)).status).toBe(403)
      expect((await service.send('PATCH', address, { size: 9 })).status).toBe(403)
      expect((await service.send('DELETE', address)).status).toBe(403)
      expect((await service.send('DELETE', `/items/keyed_${set}`, [lost])).status).toBe(403)
      expect(dataOf(await service.get(`/items/keyed_${set}/${encodeURIComponent(kept)}?fields=size`))).toEqual({
        size: 4,
      })
    })

    test('is paged by a cursor, and its items are written by their keys', async () => {
      const seen: unknown[] = []
      for (let cursor = ''; ;) {
        const { body } = await service.get(`/items/keyed_${set}?fields=size&limit=1&meta=cursor&sort=code${cursor}`)
        const { data, meta } = body as { data: unknown[]; meta: { next_cursor: string | null } }
        seen.push(...data)
        if (meta.next_cursor === null || seen.length > 9) break
        cursor = `&cursor=${meta.next_cursor}`
      }
      expect(seen).toHaveLength(4)
      const address = `/items/keyed_${set}/${encodeURIComponent(kept)}`
      expect(dataOf(await service.send('PATCH', address, { size: 5 }))).toMatchObject({ code: kept, size: 5 })
      expect(dataOf(await service.send('PATCH', address, { size: 4 }))).toMatchObject({ code: kept, size: 4 })
    })
  })
})
