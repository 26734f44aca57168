import { describe, expect, test } from 'vitest'
import { diagnosis } from '../../packages/server/src/sql/dialects/postgres/diagnosis.ts'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const LABELS = `
  create table labels (id int primary key, name varchar(40), part char(2));
  insert into labels values (1, 'Alpha', 'a'), (2, 'Beta', 'b');
  create table touched (id int primary key, name text);
  create table touched_log (name text);
  create function touch() returns trigger language plpgsql as
    $$ begin insert into touched_log values (lower(new.name)); return new; end $$;
  create trigger touch after insert on touched for each row execute function touch();`

/** They fit a varchar better than those of the system, which are for text. */
const FUNCTION = `create function lower(varchar) returns text language sql immutable as $$ select 'hijacked'::text $$;`
const OPERATOR = `
  create function differs(varchar, varchar) returns boolean language sql immutable as $$ select $1 operator(pg_catalog.<>) $2 $$;
  create operator = (leftarg = varchar, rightarg = varchar, function = differs);`

describe.runIf(testDialects.includes('postgres'))('functions and operators that the search path finds', () => {
  const { database, service } = useWorld({
    dialect: 'postgres',
    tables: LABELS,
    environment: { SCHEMA_POLL_INTERVAL: '60000' },
  })

  const ids = async (query: string) =>
    (dataOf(await service.get(`/items/labels?fields=id&sort=id&${query}`)) as { id: number }[]).map(({ id }) => id)
  const filtered = (condition: unknown) => ids(`filter=${JSON.stringify({ name: condition })}`)

  test('a function changes no response, from its creation on', async () => {
    expect(await filtered({ _icontains: 'ALP' })).toEqual([1])
    await database.query(FUNCTION)
    expect(await ids('search=alp')).toEqual([1])
    expect(await filtered({ _icontains: 'ALP' })).toEqual([1])
    expect(await filtered({ _istarts_with: 'hij' })).toEqual([])
  })

  test('neither does an operator', async () => {
    await database.query(OPERATOR)
    expect(await filtered({ _eq: 'Alpha' })).toEqual([1])
    expect(await filtered({ _in: ['Alpha', 'Gamma'] })).toEqual([1])
    expect(await filtered({ _neq: 'Alpha' })).toEqual([2])
  })

  test('writes work, and triggers find what the search path leads to', async () => {
    expect((await service.send('POST', '/items/touched', { id: 1, name: 'HELLO' })).status).toBe(200)
    expect(await database.query('select name from touched_log')).toEqual([['hello']])
    const changed = await service.send('PATCH', '/items/labels?fields=name', { keys: [2], data: { name: 'Gamma' } })
    expect(dataOf(changed)).toEqual([{ name: 'Gamma' }])
    expect((await service.send('DELETE', '/items/touched/1')).status).toBe(204)
  })

  test('tain doctor names who may create in a schema of the search path', async () => {
    const advice = () => diagnosis.advice(async ({ text }) => await database.query(text), 0)
    expect(await advice()).toEqual([])
    await database.query('grant create on schema public to public')
    expect(await advice()).toEqual([
      expect.objectContaining({ level: 'warning', fix: 'revoke create on schema public from public;' }),
    ])
  })
})
