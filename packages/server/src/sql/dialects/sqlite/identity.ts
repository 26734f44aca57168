import { placeholder } from '../../bind.ts'
import type { IdentityStatements, SessionStatements } from '../../identity.ts'
import { sql, table as qualified, type Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'
import { SCHEMA } from './scope.ts'
import { now } from './service-tables.ts'

const orNull = (value: unknown) => (typeof value === 'string' ? value : null)
const text = (parameter: number): Sql => placeholder(parameter, orNull)
const number = (parameter: number): Sql => sql`cast(${placeholder(parameter, orNull)} as integer)`

const table = (name: string): Sql => qualified(SCHEMA, name)

/** Changes with the password, and reveals nothing about it. */
const passwordFingerprint = sql`substr(tain_sha256(coalesce(u.password, '')), 1, 16)`

const userColumns = sql`u.id, u.role, u.status, u.tfa_secret is not null, ${passwordFingerprint}, v.rights`

const user = (condition: Sql): Sql =>
  sql`select ${userColumns} from ${table('service_users')} as u
    cross join ${table('service_version')} as v where ${condition}`

const account = (condition: Sql): Sql =>
  sql`select u.id, u.email, u.password, u.status, u.provider, u.role, u.tfa_secret, u.tfa_step, v.rights
    from ${table('service_users')} as u cross join ${table('service_version')} as v where ${condition}`

const plain = (name: string) => sql.id(name)
const quoted = (name: string) => sql`json_quote(${sql.id(name)})`
const timestamp = (name: string) => sql`json_quote(tain_shown_moment(${sql.id(name)}))`

const truth = (name: string) => sql`case ${sql.id(name)} when 0 then 'false' when 1 then 'true' end`

/**
 * A user as revisions store it, without the fields that are hidden from all callers. Fields that are not named here are
 * texts.
 */
const otherShapes: Readonly<Record<string, (name: string) => Sql>> = {
  tags: plain,
  last_access: timestamp,
  auth_data: plain,
  email_notifications: truth,
  theme_light_overrides: plain,
  theme_dark_overrides: plain,
}
const userColumnNames = `id first_name last_name email password location title description tags avatar language
  text_direction tfa_secret status role token last_access last_page provider external_identifier auth_data
  email_notifications appearance theme_light theme_dark theme_light_overrides theme_dark_overrides`.split(/\s+/u)

const membersOf = (shape: Readonly<Record<string, (name: string) => Sql>>) =>
  Object.entries(shape).map(([name, shown]) => ({ name, isCatalogueName: true, value: shown(name) }))

const row = jsonObject(
  membersOf(Object.fromEntries(userColumnNames.map((name) => [name, otherShapes[name] ?? quoted]))),
)

export const identity: IdentityStatements = {
  userByToken: () => user(sql`u.token = ${text(0)}`),
  userById: () => user(sql`u.id = lower(${text(0)})`),
  userBySession: () =>
    user(
      sql`u.id = lower(${text(1)}) and exists (select 1 from ${table('service_sessions')} as s
        where s.token = ${text(0)} and s."user" = u.id and s.expires > ${now}
          and (s.used is null or s.used > strftime('%Y-%m-%d %H:%M:%f', 'now', (-${number(2)} / 1000.0) || ' seconds')))`,
    ),
  userByFamily: () =>
    user(
      sql`u.id = lower(${text(1)}) and exists (select 1 from ${table('service_sessions')} as s
        where s.family = lower(${text(0)}) and s."user" = u.id and s.expires > ${now})`,
    ),
  accountByEmail: () => account(sql`u.email_key = lower(${text(0)})`),
  accountById: () => account(sql`u.id = lower(${text(0)})`),
  signedIn: () =>
    sql`update ${table('service_users')} set last_access = ${now},
        tfa_step = coalesce(${number(3)}, tfa_step)
      where id = lower(${text(0)}) and status = 'active' and password is ${text(1)} and tfa_secret is ${text(2)}
        and (${number(3)} is null or tfa_step is null or tfa_step < ${number(3)}) returning 1`,
  setPassword: () =>
    sql`update ${table('service_users')} set password = ${text(1)}, status = ${text(2)}
      where id = lower(${text(0)}) and password is ${text(3)} and status = ${text(4)} returning ${row}`,
  setSecondFactor: () =>
    sql`update ${table('service_users')} set tfa_secret = ${text(1)}, tfa_step = null
      where id = lower(${text(0)}) and (tfa_secret is null) <> (${text(1)} is null)
        and (${number(2)} is null or tfa_step is null or tfa_step < ${number(2)}) returning ${row}`,
  createUser: () =>
    sql`insert into ${table('service_users')} (id, email, password, first_name, last_name, role, status)
      values (lower(${text(0)}), ${text(1)}, ${text(2)}, ${text(3)}, ${text(4)}, ${text(5)}, ${text(6)})
      on conflict (email_key) do nothing returning ${row}`,
  authenticationSettings: () => {
    const shape: Readonly<Record<string, (name: string) => Sql>> = {
      project_name: quoted,
      auth_login_attempts: plain,
      auth_password_policy: quoted,
      public_registration: truth,
      public_registration_verify_email: truth,
      public_registration_role: quoted,
      public_registration_email_filter: plain,
    }
    return sql`select ${jsonObject(membersOf(shape))} from ${table('service_settings')} order by id limit 1`
  },
  hasAdministrator: () =>
    // A cycle of roles adds no new row, so the recursion ends.
    sql`with recursive chain (role) as (
        select u.role from ${table('service_users')} as u where u.status = 'active' and u.role is not null
        union select r.parent from chain as c join ${table('service_roles')} as r on r.id = c.role where r.parent is not null)
      select exists (select 1 from ${table('service_access')} as a
        join ${table('service_policies')} as p on p.id = a.policy and p.admin_access
        where a.role in (select role from chain)
          or exists (select 1 from ${table('service_users')} as u where u.id = a."user" and u.status = 'active')),
        (select rights from ${table('service_version')})`,
  createPublic: () => [
    sql`insert into ${table('service_policies')} (id, name, icon, description)
      values (lower(${text(0)}), 'Public', 'public', 'What everybody may do, without signing in.') on conflict do nothing`,
    sql`insert into ${table('service_access')} (id, policy) select lower(${text(1)}), lower(${text(0)})
      where not exists (select 1 from ${table('service_access')} as a where a.role is null and a."user" is null)`,
  ],
  createAdministrator: () => [
    sql`insert into ${table('service_roles')} (id, name, icon, description)
      values (lower(${text(0)}), 'Administrator', 'verified', 'May do everything.')`,
    sql`insert into ${table('service_policies')} (id, name, icon, admin_access, app_access)
      values (lower(${text(1)}), 'Administrator', 'verified', 1, 1)`,
    sql`insert into ${table('service_access')} (id, role, policy) values (lower(${text(2)}), lower(${text(0)}), lower(${text(1)}))`,
    sql`insert into ${table('service_users')} (id, role, email, password, token, first_name, last_name, status)
      values (lower(${text(3)}), lower(${text(0)}), ${text(4)}, ${text(5)}, ${text(6)}, ${text(7)}, ${text(8)}, 'active')`,
  ],
  taken: () =>
    sql`select exists (select 1 from ${table('service_users')} where email_key = lower(${text(0)})),
      exists (select 1 from ${table('service_users')} where token = ${text(1)})`,
}

export const sessions: SessionStatements = {
  create: () =>
    sql`insert into ${table('service_sessions')} (token, "user", family, expires, ip, user_agent, origin)
      values (${text(0)}, lower(${text(1)}), lower(${text(2)}),
        strftime('%Y-%m-%d %H:%M:%f', 'now', (${number(3)} / 1000.0) || ' seconds'), ${text(4)}, ${text(5)}, ${text(6)})`,
  // No other transaction writes at the same time.
  lockUser: () => sql`select 1`,
  lock: () => sql`select 1`,
  read: () =>
    sql`select s.family, s.ip, s.user_agent,
        cast(floor((unixepoch('now', 'subsec') - unixepoch(s.used, 'subsec')) * 1000) as integer),
        exists (select 1 from ${table('service_sessions')} as n where n.token = s.next_token and n.used is null),
        ${userColumns}
      from ${table('service_sessions')} as s join ${table('service_users')} as u on u.id = s."user"
        cross join ${table('service_version')} as v
      where s.token = ${text(0)} and s.expires > ${now}`,
  replace: () =>
    sql`update ${table('service_sessions')} set used = ${now}, next_token = ${text(1)} where token = ${text(0)}`,
  endFamily: () => sql`delete from ${table('service_sessions')} where family = lower(${text(0)})`,
  end: () =>
    sql`delete from ${table('service_sessions')} where family = (
        select t.family from ${table('service_sessions')} as t where t.token = ${text(0)}) returning "user"`,
  removeExpired: () =>
    sql`delete from ${table('service_sessions')} where token in (
      select s.token from ${table('service_sessions')} as s where s.expires < ${now} limit 1000)`,
}
