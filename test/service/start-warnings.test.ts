import { expect, test } from 'vitest'
import { withDatabase } from '../lib/databases.ts'
import { openService } from '../lib/service.ts'

test('the start names what callers cannot notice: hidden rows, closed schemas and misspelt settings', () =>
  withDatabase(async (database) => {
    const url = new URL(database.url)
    const role = `${url.pathname.slice(1)}_api`
    await database.query(`
      create role "${role}" login password 'trial';
      grant create on database "${url.pathname.slice(1)}" to "${role}";
      create table patients (id integer primary key);
      alter table patients enable row level security;
      grant select on patients to "${role}";
      create schema billing;
      create table billing.invoices (id integer primary key)`)
    Object.assign(url, { username: role, password: 'trial' })
    const warnings = async (address: string) => {
      const service = await openService({ DATABASE_URL: address, WEBSOCKET_ENABLED: 'true' })
      await service.stop()
      return service.lines().map(({ msg, tables, schemas, name, meant }) => ({ msg, tables, schemas, name, meant }))
    }
    try {
      const found = await warnings(url.href)
      const misspelt = {
        msg: 'a variable of the environment is no setting, and nearly one',
        name: 'WEBSOCKET_ENABLED',
        meant: 'WEBSOCKETS_ENABLED',
      }
      expect(found).toContainEqual(expect.objectContaining(misspelt))
      expect(found).toContainEqual(
        expect.objectContaining({ msg: 'schemas that the role may not use are not served', schemas: ['billing'] }),
      )
      expect(found).toContainEqual(
        expect.objectContaining({
          msg: 'row level security applies to the role of the service: rows may be missing',
          tables: ['patients'],
        }),
      )
      expect(await warnings(database.url)).toContainEqual(
        expect.objectContaining({
          msg: 'the role of the service bypasses row level security: its policies hide nothing',
          tables: ['patients'],
        }),
      )
    } finally {
      await database.query(`drop owned by "${role}"; drop role "${role}"`)
    }
  }, 'postgres'))
