import { describe, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Values that MariaDB stores and that have no direct JSON representation. */
describe('values of MariaDB', () => {
  const { service } = useWorld({
    dialect: 'mysql',
    tables: `
      create table staff (
        id int primary key, name varchar(20), picture blob, code binary(4), flags bit(6), born year,
        made date, edited datetime, seen timestamp null, number int(6) zerofill, price decimal(8, 2) zerofill,
        label enum('a', 'b') character set binary, spot point, address inet6);
      create table shops (id int primary key, manager int, foreign key (manager) references staff (id));
      create table papers (id int primary key, shop int, plain json, old longtext character set latin1 check (json_valid(old)),
        other longtext collate utf8mb4_unicode_ci check (json_valid(other)), foreign key (shop) references shops (id));
      insert into papers values (1, null, '{"a":"é"}', '{"a":"é"}', '{"a":"日"}');
      create table notes (id int primary key, ref binary(16), foreign key (id) references shops (id));
      set sql_mode = '';
      insert into staff values
        (1, 'Ann', x'ff00c1', x'01020304', b'101', 2001, '2024-01-02', '2024-01-02 03:04:05', '2024-01-02 03:04:05', 42,
         12.5, 'b', point(1, 2), '::1'),
        (2, 'Bob', null, null, 0, 0, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', 0, 0, 'a', null, null);
      insert into shops values (1, 1), (2, 2);
      update papers set shop = 1;
      insert into notes values (1, x'00'), (2, x'ff')`,
  })

  const ann = {
    id: 1,
    name: 'Ann',
    picture: '/wDB',
    code: 'AQIDBA==',
    flags: '5',
    born: 2001,
    made: '2024-01-02',
    edited: '2024-01-02T03:04:05',
    seen: '2024-01-02T03:04:05.000Z',
    number: 42,
    price: '12.50',
    label: 'b',
    spot: { type: 'Point', coordinates: [1, 2] },
    address: '::1',
  }
  const empty = {
    picture: null,
    code: null,
    born: null,
    made: null,
    edited: null,
    seen: null,
    spot: null,
    address: null,
  }
  const bob = { ...ann, ...empty, id: 2, name: 'Bob', flags: '0', number: 0, price: '0.00', label: 'a' }

  test('a row has the same values at the top and nested, whatever its types', async () => {
    expect(dataOf(await service.get('/items/staff?fields=*&sort=id'))).toEqual([ann, bob])
    expect(dataOf(await service.get('/items/staff/2'))).toEqual(bob)
    const shops = [
      { id: 1, manager: ann },
      { id: 2, manager: bob },
    ]
    expect(dataOf(await service.get('/items/shops?fields=id,manager.*&sort=id'))).toEqual(shops)
    const asked = `{ shops(sort: ["id"]) { id manager { ${Object.keys(ann).join(' ')} } } }`
    const { body } = await service.send('POST', '/graphql', { query: asked })
    const inGraph = [
      { id: '1', manager: { ...ann, id: '1', price: 12.5 } },
      { id: '2', manager: { ...bob, id: '2', price: 0 } },
    ]
    expect(body).toEqual({ data: { shops: inGraph } })
    expect(dataOf(await service.get('/items/staff?fields=shops.manager.picture,shops.notes.ref&sort=id'))).toEqual([
      { shops: [{ manager: { picture: '/wDB' }, notes: [{ ref: 'AAAAAAAAAAAAAAAAAAAAAA==' }] }] },
      { shops: [{ manager: { picture: null }, notes: [{ ref: '/wAAAAAAAAAAAAAAAAAAAA==' }] }] },
    ])
  })

  test('documents of several collations stand side by side', async () => {
    const fields = ['plain', 'old', 'other', 'json(old, a)', 'json(other, a)'].map((field) => `papers.${field}`)
    expect(dataOf(await service.search('shops', { fields, filter: { id: 1 } }))).toEqual([
      { papers: [{ plain: { a: 'é' }, old: { a: 'é' }, other: { a: '日' }, old_a_json: 'é', other_a_json: '日' }] },
    ])
  })

  test('a zero date or year is null, and is found as null', async () => {
    const ids = async (filter: object) =>
      dataOf(await service.get(`/items/staff?fields=id&sort=id&filter=${encodeURIComponent(JSON.stringify(filter))}`))
    for (const field of ['born', 'made', 'edited', 'seen']) {
      expect([field, await ids({ [field]: { _null: true } })]).toEqual([field, [{ id: 2 }]])
      expect([field, await ids({ [field]: { _nnull: true } })]).toEqual([field, [{ id: 1 }]])
    }
    expect(dataOf(await service.get('/items/staff?fields=year(made),month(edited),hour(seen)&sort=id'))).toEqual([
      { made_year: 2024, edited_month: 1, seen_hour: 3 },
      { made_year: null, edited_month: null, seen_hour: null },
    ])
    const grouped = await service.get('/items/staff?aggregate[min]=born,made,number&groupBy[]=born&sort=-born')
    expect(dataOf(grouped)).toEqual([
      { born: 2001, min: { born: 2001, made: '2024-01-02', number: 42 } },
      { born: null, min: { born: null, made: null, number: 0 } },
    ])
  })

  test('an export of such rows can be read', async () => {
    const { body } = await service.get('/items/staff?export=json&fields=id,born,number,made,flags&sort=id')
    expect(body).toEqual([
      { id: 1, born: 2001, number: 42, made: '2024-01-02', flags: '5' },
      { id: 2, born: null, number: 0, made: null, flags: '0' },
    ])
  })

  test('a revision of such a row is a document', async () => {
    const sent = await service.send('PATCH', '/items/staff/2', { name: 'Rob' })
    expect(dataOf(sent)).toEqual({ ...bob, name: 'Rob' })
    const found = await service.get(
      '/revisions?fields=data&filter[collection][_eq]=staff&filter[item][_eq]=2&sort=-id&limit=1',
    )
    expect(dataOf(found)).toMatchObject([
      { data: { id: 2, name: 'Rob', born: null, made: null, number: 0, price: '0.00' } },
    ])
  })
})
