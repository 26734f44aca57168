import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, openService, type Answer } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

/** Tables with triggers, checks and foreign keys, written in the SQL of each database. */
const tables: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    `create table slugs (id serial primary key, title text not null, slug text not null, note text not null)`,
    `create function fill() returns trigger language plpgsql as $$ begin
      new.slug := lower(new.title); if new.title = 'noted' then new.note := 'n'; end if; return new; end $$`,
    `create trigger fill before insert on slugs for each row execute function fill()`,
    `create table stock (id serial primary key, amount int not null, hidden text, constraint amount_is_positive check (amount >= 0))`,
    `create function limits() returns trigger language plpgsql as $$ begin
      if new.amount > 100 then raise exception 'Stock is limited to 100 pieces'; end if;
      if new.amount = 50 then raise exception 'Fifty is taken' using errcode = 'unique_violation'; end if;
      if new.amount = 51 then raise exception 'Not fifty-one' using errcode = 'SHOP1'; end if;
      return new; end $$`,
    `create trigger limits before insert or update on stock for each row execute function limits()`,
    `create table people (id int primary key, name text)`,
    `create table letters (id int primary key, author int references people)`,
    `create table pets (id int primary key, owner int references people on delete restrict)`,
    `create table firm (id int generated always as identity primary key, n int, twice int generated always as (n * 2) stored)`,
    `create table skips (id serial primary key, n int not null)`,
    `create function skip_some() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then return null; end if;
      if new.n < 0 then return null; end if; return new; end $$`,
    `create trigger skip_some before insert or update or delete on skips for each row execute function skip_some()`,
    `create table orphaned (id int primary key)`,
    `create function asks_too_much() returns trigger language plpgsql as $$ begin insert into gone values (1); return new; end $$`,
    `create trigger asks_too_much after insert on orphaned for each row execute function asks_too_much()`,
  ],
  mysql: [
    `create table slugs (id int auto_increment primary key, title varchar(50) not null, slug varchar(50) not null, note varchar(50) not null)`,
    `create trigger fill before insert on slugs for each row begin
      set new.slug = lower(new.title); if new.title = 'noted' then set new.note = 'n'; end if; end`,
    `create table stock (id int auto_increment primary key, amount int not null, hidden text, constraint amount_is_positive check (amount >= 0))`,
    ...['insert', 'update'].map(
      (event) => `create trigger limits_${event} before ${event} on stock for each row begin
        if new.amount > 100 then signal sqlstate '45000' set message_text = 'Stock is limited to 100 pieces'; end if;
        if new.amount = 50 then signal sqlstate '23000' set message_text = 'Fifty is taken'; end if;
        if new.amount = 51 then signal sqlstate '45000' set mysql_errno = 30001, message_text = 'Not fifty-one'; end if; end`,
    ),
    `create table people (id int primary key, name text)`,
    `create table letters (id int primary key, author int, constraint l foreign key (author) references people (id))`,
    `create table pets (id int primary key, owner int, constraint p foreign key (owner) references people (id) on delete restrict)`,
    `create table firm (id int auto_increment primary key, n int, twice int generated always as (n * 2) stored)`,
    `create table orphaned (id int primary key)`,
    `create trigger asks_too_much after insert on orphaned for each row insert into gone values (1)`,
  ],
  sqlite: [
    `create table slugs (id integer primary key, title text not null, slug text not null, note text not null)`,
    `create trigger fill before insert on slugs when new.slug is null begin
      insert into slugs (id, title, slug, note) values (1, new.title, lower(new.title), 'n'); select raise(ignore); end`,
    `create table stock (id integer primary key, amount int not null, hidden text, constraint amount_is_positive check (amount >= 0))`,
    ...['insert', 'update'].map(
      (event) => `create trigger limits_${event} before ${event} on stock begin select case
        when new.amount > 100 then raise(abort, 'Stock is limited to 100 pieces')
        when new.amount = 50 then raise(fail, 'Fifty is taken')
        when new.amount = 51 then raise(rollback, 'Not fifty-one') end; end`,
    ),
    `create table people (id int primary key, name text)`,
    `create table letters (id int primary key, author int references people)`,
    `create table pets (id int primary key, owner int references people on delete restrict)`,
    `create table firm (id integer primary key, n int, twice int generated always as (n * 2) stored)`,
    `create table skips (id integer primary key, n int not null)`,
    `create trigger skip_insert before insert on skips when new.n < 0 begin select raise(ignore); end`,
    `create trigger skip_update before update on skips when new.n < 0 begin select raise(ignore); end`,
    `create trigger skip_delete before delete on skips begin select raise(ignore); end`,
    `create table orphaned (id int primary key)`,
    `create trigger asks_too_much after insert on orphaned begin insert into gone values (1); end`,
  ],
}

interface Refusal {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

const refusalOf = ({ body, text }: Answer): Refusal => {
  const [error] = (body as { errors?: readonly Refusal[] } | undefined)?.errors ?? []
  if (error === undefined) throw new Error(`no refusal: ${text}`)
  return error
}

describe.each(testDialects)('the database has the last word on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      for (const statement of tables[dialect]) await database.query(statement)
      for (const statement of [
        `insert into people values (1, 'Ada'), (2, 'Ben'), (3, 'Cleo')`,
        `insert into letters values (1, 1)`,
        `insert into pets values (1, 2)`,
      ])
        await database.query(statement)
    },
  })

  const post = (collection: string, body: unknown) => service.send('POST', `/items/${collection}`, body)
  const count = async (table: string) => Number((await database.query(`select count(*) from ${table}`))[0]?.[0])

  /** Creates a caller with permissions, keyed by `action collection`. */
  async function somebody(permissions: Readonly<Record<string, readonly string[]>>) {
    const entries = Object.entries(permissions).map(([name, fields]) => {
      const [action, collection] = name.split(' ')
      return { action, collection, fields }
    })
    const token = await createUser(service, entries)
    return { token }
  }

  describe('required columns', () => {
    test.skipIf(dialect === 'sqlite')('a column that a trigger fills need not be sent', async () => {
      expect(dataOf(await post('slugs', { title: 'Hello', note: 'x' }))).toMatchObject({ slug: 'hello', note: 'x' })
      const list = [{ title: 'A', note: 'x' }, { title: 'noted' }, { title: 'B', note: null, slug: null }]
      expect(dataOf(await post('slugs', list.slice(0, 2)))).toMatchObject([
        { slug: 'a', note: 'x' },
        { slug: 'noted', note: 'n' },
      ])
      const before = await count('slugs')
      expect(codeOf(await post('slugs', list))).toBe('NOT_NULL_VIOLATION')
      expect(await count('slugs')).toBe(before)
      const named = refusalOf(await post('slugs', { title: 'C' }))
      expect(named.extensions).toMatchObject({ code: 'NOT_NULL_VIOLATION', collection: 'slugs', field: 'note' })
    })

    test('a column that no trigger can fill is still demanded beforehand', async () => {
      expect(refusalOf(await post('stock', {})).extensions['code']).toBe('NOT_NULL_VIOLATION')
      await database.query('create table plain (id int primary key, n int not null)')
      await expect.poll(async () => (await post('plain', { id: 1 })).status, { timeout: 10_000 }).toBe(400)
      expect(refusalOf(await post('plain', { id: 1 })).extensions).toMatchObject({
        code: 'FAILED_VALIDATION',
        field: 'n',
        type: 'required',
      })
    })

    test.skipIf(dialect === 'sqlite')('GraphQL does not demand it either', async () => {
      const query = 'mutation { create_slugs_item(data: { title: "Query", note: "x" }) { slug } }'
      const { body } = await service.send('POST', '/graphql', { query })
      expect(body).toEqual({ data: { create_slugs_item: { slug: 'query' } } })
    })

    test('a trigger that comes or goes is noticed', async () => {
      await database.query('create table later (id int primary key, n int not null)')
      await expect
        .poll(async () => codeOf(await post('later', { id: 1 })), { timeout: 10_000 })
        .toBe('FAILED_VALIDATION')
      const trigger: Readonly<Record<TestDialect, readonly string[]>> = {
        postgres: [
          `create function zero() returns trigger language plpgsql as $$ begin new.n := 0; return new; end $$`,
          `create trigger zero before insert on later for each row execute function zero()`,
        ],
        mysql: [`create trigger zero before insert on later for each row set new.n = 0`],
        sqlite: [`create trigger zero before insert on later begin select raise(abort, 'zero'); end`],
      }
      for (const statement of trigger[dialect]) await database.query(statement)
      await expect
        .poll(async () => codeOf(await post('later', { id: 1 })), { timeout: 10_000 })
        .toBe(dialect === 'sqlite' ? 'INVALID_PAYLOAD' : undefined)
    })
  })

  describe('messages raised', () => {
    test.each([
      [101, 'Stock is limited to 100 pieces'],
      [50, 'Fifty is taken'],
      [51, 'Not fifty-one'],
    ])('by a trigger for %i are 400 with its text', async (amount, text) => {
      const { message, extensions } = refusalOf(await post('stock', { amount }))
      expect(extensions).toEqual({ code: 'INVALID_PAYLOAD', reason: text })
      expect(message).toBe(`Invalid payload. ${text}.`)
      expect(codeOf(await service.send('PATCH', '/items/stock', { all: true, data: { amount } }))).toBe(
        (await count('stock')) === 0 ? undefined : 'INVALID_PAYLOAD',
      )
      expect(await count('stock')).toBe(0)
      const mutation = `mutation { create_stock_item(data: { amount: ${amount} }) { id } }`
      const answer = await service.send('POST', '/graphql', { query: mutation })
      expect(refusalOf(answer).extensions).toMatchObject({ code: 'INVALID_PAYLOAD', reason: text })
    })

    test('nothing of a list is kept', async () => {
      expect(codeOf(await post('stock', [{ amount: 1 }, { amount: 51 }]))).toBe('INVALID_PAYLOAD')
      expect(await count('stock')).toBe(0)
    })

    test('a setting keeps the text back', async () => {
      const quiet = await openService({ DATABASE_URL: database.url, DB_RAISED_MESSAGES: 'false' })
      try {
        const answer = await quiet.send('POST', '/items/stock', { amount: 101 })
        expect(codeOf(answer)).toBe('INVALID_PAYLOAD')
        expect(answer.text).not.toContain('limited')
      } finally {
        await quiet.stop()
      }
    })
  })

  describe('constraints', () => {
    test('a check is named to callers who may use every field', async () => {
      const { extensions } = refusalOf(await post('stock', { amount: -1 }))
      expect(extensions).toMatchObject({ code: 'FAILED_VALIDATION', constraint: 'amount_is_positive' })
    })

    test.runIf(dialect === 'postgres')(
      'a domain is named with the field, of several that have it the one',
      async () => {
        await database.query(`create domain share as int constraint share_range check (value between 0 and 100);
        create table shares (id int generated by default as identity primary key, note int, ours share, theirs share)`)
        await expect.poll(async () => (await post('shares', { ours: 1 })).status, { timeout: 10_000 }).toBe(200)
        const wrong = refusalOf(await post('shares', { note: 101, ours: 3, theirs: 101 })).extensions
        expect(wrong).toMatchObject({
          code: 'FAILED_VALIDATION',
          collection: 'shares',
          field: 'theirs',
          constraint: 'share_range',
        })
        const changed = refusalOf(await service.send('PATCH', '/items/shares/1', { ours: -1 })).extensions
        expect(changed).toMatchObject({ field: 'ours', constraint: 'share_range' })
        const some = await somebody({ 'create shares': ['ours'] })
        const { extensions } = refusalOf(await service.send('POST', '/items/shares', { ours: 101 }, some))
        expect(extensions).toMatchObject({ field: 'ours' })
        expect(extensions).not.toHaveProperty('constraint')
      },
    )

    test('and to nobody else', async () => {
      const some = await somebody({ 'create stock': ['amount'] })
      const all = await somebody({ 'create stock': ['*'] })
      const ask = async (caller: { token: string }) =>
        refusalOf(await service.send('POST', '/items/stock', { amount: -1 }, caller)).extensions
      expect((await ask(all))['constraint']).toBe('amount_is_positive')
      expect(await ask(some)).toMatchObject({ code: 'FAILED_VALIDATION' })
      expect(await ask(some)).not.toHaveProperty('constraint')
    })

    test.each([
      [1, 'letters', 'author'],
      [2, 'pets', 'owner'],
    ])('a row that is referred to says by what when it cannot be deleted: %i', async (key, table, field) => {
      const { message, extensions } = refusalOf(await service.send('DELETE', `/items/people/${key}`))
      expect(extensions).toMatchObject({ code: 'INVALID_FOREIGN_KEY', collection: table, field })
      expect(message).toContain(`"${table}"`)
    })

    test('but not to callers who may not know of it', async () => {
      const caller = await somebody({ 'delete people': ['*'], 'read people': ['*'] })
      const answer = await service.send('DELETE', '/items/people/1', undefined, caller)
      expect(refusalOf(answer).extensions).toMatchObject({ code: 'INVALID_FOREIGN_KEY', collection: null, field: null })
      expect(answer.text).not.toContain('letters')
    })

    test('a field that is GENERATED ALWAYS is named', async () => {
      const { message, extensions } = refusalOf(await post('firm', { n: 1, twice: 3 }))
      expect(extensions).toMatchObject({ code: 'INVALID_PAYLOAD', field: 'twice' })
      expect(message).toContain('"twice" is GENERATED ALWAYS')
    })

    test.runIf(dialect === 'postgres')('so is an identity', async () => {
      for (const answer of [
        await post('firm', { id: 77, n: 1 }),
        await service.send('PUT', '/items/firm', { id: 77, n: 1 }),
      ]) {
        expect(refusalOf(answer).message).toContain('"id" is GENERATED ALWAYS')
        expect(refusalOf(answer).extensions).toMatchObject({ code: 'INVALID_PAYLOAD', field: 'id' })
      }
    })
  })

  test('a trigger that cannot work is 422, and is not tried again and again', async () => {
    const { message, extensions } = refusalOf(await post('orphaned', { id: 1 }))
    expect(extensions['code']).toBe('UNPROCESSABLE_CONTENT')
    expect(message).not.toContain('gone')
    expect(await count('orphaned')).toBe(0)
  })

  describe.skipIf(dialect === 'mysql')('triggers that skip rows', () => {
    test('an insert is refused as a whole', async () => {
      for (const body of [{ n: -1 }, [{ n: 1 }, { n: -1 }]]) {
        const { extensions } = refusalOf(await post('skips', body))
        expect(extensions).toMatchObject({ code: 'UNPROCESSABLE_CONTENT', reason: expect.stringContaining('trigger') })
        expect(await count('skips')).toBe(0)
      }
    })

    test('so are an update and a delete', async () => {
      const { id } = dataOf(await post('skips', { n: 1 })) as { id: number }
      const update = await service.send('PATCH', `/items/skips/${id}`, { n: -1 })
      expect(codeOf(update)).toBe('UNPROCESSABLE_CONTENT')
      const removal = await service.send('DELETE', `/items/skips/${id}`)
      expect(codeOf(removal)).toBe('UNPROCESSABLE_CONTENT')
      expect(codeOf(await service.send('DELETE', '/items/skips/4711'))).toBe('FORBIDDEN')
      expect(await count('skips')).toBe(1)
    })
  })
})
