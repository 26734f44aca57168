import { placeholder } from '../../bind.ts'
import type { IdentityStatements, SessionStatements } from '../../identity.ts'
import { sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { jsonObject } from './json.ts'

const orNull = (value: unknown) => (typeof value === 'string' ? value : null)
const text = (parameter: number): Sql => placeholder(parameter, orNull)
const uuid = (parameter: number): Sql => placeholder(parameter, (value) => orNull(value)?.toLowerCase() ?? null)
const number = (parameter: number): Sql => sql`cast(${placeholder(parameter, orNull)} as signed)`
const USER = sql.id('user')

/** Changes with the password, and reveals nothing about it. */
const passwordFingerprint = sql`left(sha2(coalesce(u.password, ''), 256), 16)`

const userColumns = sql`u.id, u.role, u.status, u.tfa_secret is not null, ${passwordFingerprint}, v.rights`

const user = (schema: string, condition: Sql): Sql =>
  sql`select ${userColumns} from ${table(schema, 'service_users')} as u
    cross join ${table(schema, 'service_version')} as v where ${condition}`

const account = (schema: string, condition: Sql): Sql =>
  sql`select u.id, u.email, u.password, u.status, u.provider, u.role, u.tfa_secret, u.tfa_step, v.rights
    from ${table(schema, 'service_users')} as u cross join ${table(schema, 'service_version')} as v where ${condition}`

const plain = (name: string) => sql.id(name)
const quoted = (name: string) => sql`json_quote(${sql.id(name)})`
const timestamp = (name: string) => sql`date_format(${sql.id(name)}, '"%Y-%m-%dT%H:%i:%s.%f+00:00"')`

/** A user as revisions store it, without the fields that are hidden from all callers. */
const userShape: Readonly<Record<string, (name: string) => Sql>> = {
  id: quoted,
  first_name: quoted,
  last_name: quoted,
  email: quoted,
  password: quoted,
  status: quoted,
  role: quoted,
  token: quoted,
  provider: quoted,
  external_identifier: quoted,
  tfa_secret: quoted,
  last_access: timestamp,
  last_page: quoted,
  auth_data: plain,
}

const row = jsonObject(
  Object.entries(userShape).map(([name, shown]) => ({ name, isCatalogueName: true, value: shown(name) })),
)

/**
 * A conditional change of the user in parameter 0. The condition is tested under the lock first, because it may no
 * longer hold after the change.
 */
const changeUser = (schema: string, condition: Sql, assignments: Sql, answer: Sql): readonly Sql[] => [
  sql`select count(*) into @tain_found from ${table(schema, 'service_users')} as u
    where u.id = ${uuid(0)} and ${condition} for update`,
  sql`update ${table(schema, 'service_users')} as u set ${assignments} where u.id = ${uuid(0)} and @tain_found = 1`,
  sql`select ${answer} from ${table(schema, 'service_users')} as u where u.id = ${uuid(0)} and @tain_found = 1`,
]

/** The role of every active user with all parent roles; the depth limit ends cycles. */
const chain = (schema: string): Sql => sql`with recursive chain as (
    select u.id as ${USER}, r.id as role, r.parent, 1 as depth from ${table(schema, 'service_users')} as u
      join ${table(schema, 'service_roles')} as r on r.id = u.role where u.status = 'active'
    union select c.${USER}, r.id, r.parent, c.depth + 1 from chain as c
      join ${table(schema, 'service_roles')} as r on r.id = c.parent where c.depth < 100)`

export const createIdentity = (server: Server): IdentityStatements => ({
  userByToken: (schema) => user(schema, sql`u.token = ${text(0)}`),
  userById: (schema) => user(schema, sql`u.id = ${uuid(0)}`),
  userBySession: (schema) =>
    user(
      schema,
      sql`u.id = ${uuid(1)} and exists (select 1 from ${table(schema, 'service_sessions')} as s
        where s.token = ${text(0)} and s.${USER} = u.id and s.expires > now(6)
          and (s.used is null or s.used > now(6) - interval ${number(2)} * 1000 microsecond))`,
    ),
  userByFamily: (schema) =>
    user(
      schema,
      sql`u.id = ${uuid(1)} and exists (select 1 from ${table(schema, 'service_sessions')} as s
        where s.family = ${uuid(0)} and s.${USER} = u.id and s.expires > now(6))`,
    ),
  accountByEmail: (schema) => account(schema, sql`u.email_key = lower(${text(0)})`),
  accountById: (schema) => account(schema, sql`u.id = ${uuid(0)}`),
  signedIn: (schema) =>
    changeUser(
      schema,
      sql`u.status = 'active' and u.password <=> ${text(1)} and u.tfa_secret <=> ${text(2)}
        and (${number(3)} is null or u.tfa_step is null or u.tfa_step < ${number(3)})`,
      sql`u.last_access = now(6), u.tfa_step = coalesce(${number(3)}, u.tfa_step)`,
      sql`1`,
    ),
  setPassword: (schema) =>
    changeUser(
      schema,
      sql`u.password <=> ${text(3)} and u.status = ${text(4)}`,
      sql`u.password = ${text(1)}, u.status = ${text(2)}`,
      row,
    ),
  setSecondFactor: (schema) =>
    changeUser(
      schema,
      sql`(u.tfa_secret is null) <> (${text(1)} is null)
        and (${number(2)} is null or u.tfa_step is null or u.tfa_step < ${number(2)})`,
      sql`u.tfa_secret = ${text(1)}, u.tfa_step = null`,
      row,
    ),
  createUser: (schema) => {
    const insert = sql`insert ignore into ${table(schema, 'service_users')} (id, email, password, first_name, last_name, role, status)
      values (${uuid(0)}, ${text(1)}, ${text(2)}, ${text(3)}, ${text(4)}, ${uuid(5)}, ${text(6)})`
    return server.can.hasReturning
      ? sql`${insert} returning ${row}`
      : [insert, sql`select ${row} from ${table(schema, 'service_users')} where id = ${uuid(0)}`]
  },
  authenticationSettings: (schema) => {
    const settings: Readonly<Record<string, (name: string) => Sql>> = {
      project_name: quoted,
      auth_login_attempts: plain,
      auth_password_policy: quoted,
      public_registration: (name) => sql`if(${sql.id(name)}, 'true', 'false')`,
      public_registration_verify_email: (name) => sql`if(${sql.id(name)}, 'true', 'false')`,
      public_registration_role: quoted,
      public_registration_email_filter: plain,
    }
    const members = Object.entries(settings).map(([name, shown]) => ({
      name,
      isCatalogueName: true,
      value: shown(name),
    }))
    return sql`select ${jsonObject(members)} from ${table(schema, 'service_settings')} order by id limit 1`
  },
  hasAdministrator: (schema) =>
    sql`${chain(schema)}
      select if(exists (select 1 from ${table(schema, 'service_access')} as a
        join ${table(schema, 'service_policies')} as p on p.id = a.policy and p.admin_access
        where exists (select 1 from chain as c where c.role = a.role)
          or exists (select 1 from ${table(schema, 'service_users')} as u where u.id = a.${USER} and u.status = 'active')), 'true', 'false'),
        (select rights from ${table(schema, 'service_version')})`,
  createPublic: (schema) => [
    sql`insert ignore into ${table(schema, 'service_policies')} (id, name, icon, description)
      values (${uuid(0)}, 'Public', 'public', 'What everybody may do, without signing in.')`,
    sql`insert into ${table(schema, 'service_access')} (id, policy) select ${uuid(1)}, ${uuid(0)} from dual
      where not exists (select 1 from ${table(schema, 'service_access')} as a where a.role is null and a.${USER} is null)`,
  ],
  createAdministrator: (schema) => [
    sql`insert into ${table(schema, 'service_roles')} (id, name, icon, description)
      values (${uuid(0)}, 'Administrator', 'verified', 'May do everything.')`,
    sql`insert into ${table(schema, 'service_policies')} (id, name, icon, admin_access, app_access)
      values (${uuid(1)}, 'Administrator', 'verified', true, true)`,
    sql`insert into ${table(schema, 'service_access')} (id, role, policy) values (${uuid(2)}, ${uuid(0)}, ${uuid(1)})`,
    sql`insert into ${table(schema, 'service_users')} (id, role, email, password, token, first_name, last_name, status)
      values (${uuid(3)}, ${uuid(0)}, ${text(4)}, ${text(5)}, ${text(6)}, ${text(7)}, ${text(8)}, 'active')`,
  ],
  taken: (schema) =>
    sql`select exists (select 1 from ${table(schema, 'service_users')} where email_key = lower(${text(0)})),
      exists (select 1 from ${table(schema, 'service_users')} where token = ${text(1)})`,
})

export const createSessions = (server: Server): SessionStatements => ({
  create: (schema) =>
    sql`insert into ${table(schema, 'service_sessions')} (token, ${USER}, family, expires, ip, user_agent, origin)
      values (${text(0)}, ${uuid(1)}, ${uuid(2)}, now(6) + interval ${number(3)} * 1000 microsecond, ${text(4)}, ${text(5)}, ${text(6)})`,
  lockUser: (schema) =>
    sql`select 1 from ${table(schema, 'service_users')} as u where u.id = (
      select s.${USER} from ${table(schema, 'service_sessions')} as s where s.token = ${text(0)}) lock in share mode`,
  lock: (schema) => sql`select 1 from ${table(schema, 'service_sessions')} where token = ${text(0)} for update`,
  read: (schema) =>
    sql`select s.family, s.ip, s.user_agent, timestampdiff(microsecond, s.used, now(6)) div 1000,
        exists (select 1 from ${table(schema, 'service_sessions')} as n where n.token = s.next_token and n.used is null),
        ${userColumns}
      from ${table(schema, 'service_sessions')} as s join ${table(schema, 'service_users')} as u on u.id = s.${USER}
        cross join ${table(schema, 'service_version')} as v
      where s.token = ${text(0)} and s.expires > now(6)`,
  replace: (schema) =>
    sql`update ${table(schema, 'service_sessions')} set used = now(6), next_token = ${text(1)} where token = ${text(0)}`,
  endFamily: (schema) => sql`delete from ${table(schema, 'service_sessions')} where family = ${uuid(0)}`,
  end: (schema) => {
    const ofFamily = sql`from ${table(schema, 'service_sessions')} where family = @tain_family`
    const family = sql`select t.family into @tain_family from (select 1) as one
      left join ${table(schema, 'service_sessions')} as t on t.token = ${text(0)}`
    return server.can.hasReturning
      ? [family, sql`delete ${ofFamily} returning ${USER}`]
      : [family, sql`select ${USER} ${ofFamily} for update`, sql`delete ${ofFamily}`]
  },
  removeExpired: (schema) => sql`delete from ${table(schema, 'service_sessions')} where expires < now(6) limit 1000`,
})
