import { createHash, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { spell, type Permission } from './rules.ts'
import type { Person, World } from './world.ts'

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Writes permissions straight into the tables, so that no rule about granting is in the way. */
export interface Store {
  readonly people: (world: World) => Promise<void>
  readonly policiesOf: (person: Person) => Promise<void>
  readonly status: (person: Person) => Promise<void>
  readonly open: (world: World) => Promise<void>
  readonly owner: (file: string, user: string | null) => Promise<void>
  readonly logo: (file: string | null) => Promise<void>
  readonly close: () => Promise<void>
}

const ROLE = '00000000-0000-4000-a000-0000000000aa'

export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const name = `tain_file_rights_${randomUUID().slice(0, 8)}`
  const client = new Client({ connectionString: SERVER })
  await client.connect()
  await client.query(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  try {
    const url = new URL(SERVER)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}

export async function openStore(url: string): Promise<Store> {
  const client = new Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {})
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values])

  const together = async (work: () => Promise<void>) => {
    await run('begin')
    await work()
    await run('update tain.service_version set rights = rights + 1')
    await run('commit')
  }

  const attach = async (user: string | null, permissions: readonly Permission[], isAdmin: boolean, sort: number) => {
    const policy = randomUUID()
    await run('insert into tain.service_policies (id, name, admin_access) values ($1, $2, $3)', [
      policy,
      'files',
      isAdmin,
    ])
    await run('insert into tain.service_access (id, "user", policy, sort) values ($1, $2, $3, $4)', [
      randomUUID(),
      user,
      policy,
      sort,
    ])
    for (const permission of permissions) await insertPermission(run, policy, permission)
  }

  const detach = (user: string | null) =>
    run(
      'delete from tain.service_policies where id in (select policy from tain.service_access where "user" is not distinct from $1 and role is null)',
      [user],
    )

  const attachAll = async ({ id, isAdmin, policies }: Person) => {
    await detach(id)
    if (isAdmin) await attach(id, [], true, 0)
    for (const [index, permissions] of policies.entries()) await attach(id, permissions, false, index)
  }

  return {
    people: (world) =>
      together(async () => {
        await run('insert into tain.service_roles (id, name) values ($1, $2)', [ROLE, 'staff'])
        for (const person of world.people) {
          await run('insert into tain.service_users (id, token, role) values ($1, $2, $3)', [
            person.id,
            createHash('sha256').update(person.token).digest('hex'),
            person.hasRole ? ROLE : null,
          ])
          await attachAll(person)
        }
      }),
    policiesOf: (person) => together(() => attachAll(person)),
    status: (person) =>
      together(
        async () =>
          void (await run('update tain.service_users set status = $2 where id = $1', [
            person.id,
            person.isActive ? 'active' : 'suspended',
          ])),
      ),
    open: ({ open }) =>
      together(async () => {
        await detach(null)
        for (const [index, permissions] of open.entries()) await attach(null, permissions, false, index)
      }),
    owner: async (file, user) =>
      void (await run('update tain.service_files set uploaded_by = $2 where id = $1', [file, user])),
    logo: async (file) => {
      await run('insert into tain.service_settings (id) values (1) on conflict do nothing')
      await run('update tain.service_settings set project_logo = $1', [file])
    },
    close: () => client.end(),
  }
}

async function insertPermission(
  run: (text: string, values: readonly unknown[]) => Promise<unknown>,
  policy: string,
  { collection, action, rule, validation, presets, fields }: Permission,
): Promise<void> {
  await run(
    `insert into tain.service_permissions (policy, collection, action, permissions, validation, presets, fields)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      policy,
      collection,
      action,
      rule === null ? null : JSON.stringify(spell(rule)),
      validation === null ? null : JSON.stringify(spell(validation)),
      presets === null ? null : JSON.stringify(presets),
      JSON.stringify(fields),
    ],
  )
}
