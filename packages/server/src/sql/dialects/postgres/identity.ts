import { placeholder } from '../../bind.ts'
import type { IdentityStatements, SessionStatements } from '../../identity.ts'
import { sql, table, type Sql } from '../../sql.ts'

const orNull = (value: unknown) => (typeof value === 'string' ? value : null)
const text = (parameter: number): Sql => sql`${placeholder(parameter, orNull)}::text`
const uuid = (parameter: number): Sql => sql`${placeholder(parameter, orNull)}::uuid`
const number = (parameter: number): Sql => sql`${placeholder(parameter, orNull)}::bigint`

/** Changes whenever the password does, and reveals nothing about it. */
const passwordFingerprint = sql`left(encode(sha256(convert_to(coalesce(u.password, ''), 'UTF8')), 'hex'), 16)`

const userColumns = sql`u.id, u.role, u.status, u.tfa_secret is not null, ${passwordFingerprint}, v.rights`

const user = (schema: string, condition: Sql): Sql =>
  sql`select ${userColumns} from ${table(schema, 'service_users')} as u
    cross join ${table(schema, 'service_version')} as v where ${condition}`

const account = (schema: string, condition: Sql): Sql =>
  sql`select u.id, u.email, u.password, u.status, u.provider, u.role, u.tfa_secret, u.tfa_step, v.rights
    from ${table(schema, 'service_users')} as u cross join ${table(schema, 'service_version')} as v where ${condition}`

/** A user as revisions store it, without the hidden columns. Older databases still have `failed_logins`. */
const row = sql`(to_jsonb(u) - 'email_key' - 'tfa_step' - 'failed_logins')::text`

export const identity: IdentityStatements = {
  userByToken: (schema) => user(schema, sql`u.token = ${text(0)}`),
  userById: (schema) => user(schema, sql`u.id = ${uuid(0)}`),
  userBySession: (schema) =>
    user(
      schema,
      sql`u.id = ${uuid(1)} and exists (select 1 from ${table(schema, 'service_sessions')} as s
        where s.token = ${text(0)} and s."user" = u.id and s.expires > now()
          and (s.used is null or s.used > now() - ${number(2)} * interval '1 millisecond'))`,
    ),
  userByFamily: (schema) =>
    user(
      schema,
      sql`u.id = ${uuid(1)} and exists (select 1 from ${table(schema, 'service_sessions')} as s
        where s.family = ${uuid(0)} and s."user" = u.id and s.expires > now())`,
    ),
  accountByEmail: (schema) => account(schema, sql`u.email_key = lower(${text(0)})`),
  accountById: (schema) => account(schema, sql`u.id = ${uuid(0)}`),
  signedIn: (schema) =>
    sql`update ${table(schema, 'service_users')} as u set last_access = now(),
        tfa_step = coalesce(${number(3)}, u.tfa_step)
      where u.id = ${uuid(0)} and u.status = 'active' and u.password is not distinct from ${text(1)}
        and u.tfa_secret is not distinct from ${text(2)}
        and (${number(3)} is null or u.tfa_step is null or u.tfa_step < ${number(3)}) returning 1`,
  setPassword: (schema) =>
    sql`update ${table(schema, 'service_users')} as u set password = ${text(1)}, status = ${text(2)}
      where u.id = ${uuid(0)} and u.password is not distinct from ${text(3)} and u.status = ${text(4)} returning ${row}`,
  setSecondFactor: (schema) =>
    sql`update ${table(schema, 'service_users')} as u set tfa_secret = ${text(1)}, tfa_step = null
      where u.id = ${uuid(0)} and (u.tfa_secret is null) <> (${text(1)} is null)
        and (${number(2)} is null or u.tfa_step is null or u.tfa_step < ${number(2)}) returning ${row}`,
  createUser: (schema) =>
    sql`insert into ${table(schema, 'service_users')} as u (id, email, password, first_name, last_name, role, status)
      values (${uuid(0)}, ${text(1)}, ${text(2)}, ${text(3)}, ${text(4)}, ${uuid(5)}, ${text(6)})
      on conflict (email_key) do nothing returning ${row}`,
  authenticationSettings: (schema) =>
    sql`select to_json(s) from (select project_name, auth_login_attempts, auth_password_policy, public_registration,
      public_registration_verify_email, public_registration_role, public_registration_email_filter
      from ${table(schema, 'service_settings')} order by id limit 1) as s`,
  hasAdministrator: (schema) =>
    sql`with recursive chain as (
        select u.id as "user", r.id as role, r.parent, array[r.id] as seen from ${table(schema, 'service_users')} as u
          join ${table(schema, 'service_roles')} as r on r.id = u.role where u.status = 'active'
        union all select c."user", r.id, r.parent, c.seen || r.id from chain as c
          join ${table(schema, 'service_roles')} as r on r.id = c.parent where r.id <> all (c.seen))
      select exists (select 1 from ${table(schema, 'service_access')} as a
        join ${table(schema, 'service_policies')} as p on p.id = a.policy and p.admin_access
        where exists (select 1 from chain as c where c.role = a.role)
          or exists (select 1 from ${table(schema, 'service_users')} as u where u.id = a."user" and u.status = 'active')),
        (select rights from ${table(schema, 'service_version')})`,
  createPublic: (schema) => [
    sql`insert into ${table(schema, 'service_policies')} (id, name, icon, description)
      values (${uuid(0)}, 'Public', 'public', 'What everybody may do, without signing in.') on conflict do nothing`,
    sql`insert into ${table(schema, 'service_access')} (id, policy) select ${uuid(1)}, ${uuid(0)}
      where not exists (select 1 from ${table(schema, 'service_access')} as a where a.role is null and a."user" is null)`,
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
}

export const sessions: SessionStatements = {
  create: (schema) =>
    sql`insert into ${table(schema, 'service_sessions')} (token, "user", family, expires, ip, user_agent, origin)
      values (${text(0)}, ${uuid(1)}, ${uuid(2)}, now() + ${number(3)} * interval '1 millisecond', ${text(4)}, ${text(5)}, ${text(6)})`,
  lockUser: (schema) =>
    sql`select 1 from ${table(schema, 'service_users')} as u where u.id = (
      select s."user" from ${table(schema, 'service_sessions')} as s where s.token = ${text(0)}) for share of u`,
  lock: (schema) => sql`select 1 from ${table(schema, 'service_sessions')} where token = ${text(0)} for update`,
  read: (schema) =>
    sql`select s.family, s.ip, s.user_agent, floor(extract(epoch from (clock_timestamp() - s.used)) * 1000)::bigint,
        exists (select 1 from ${table(schema, 'service_sessions')} as n where n.token = s.next_token and n.used is null),
        ${userColumns}
      from ${table(schema, 'service_sessions')} as s join ${table(schema, 'service_users')} as u on u.id = s."user"
        cross join ${table(schema, 'service_version')} as v
      where s.token = ${text(0)} and s.expires > now()`,
  replace: (schema) =>
    sql`update ${table(schema, 'service_sessions')} set used = clock_timestamp(), next_token = ${text(1)} where token = ${text(0)}`,
  endFamily: (schema) => sql`delete from ${table(schema, 'service_sessions')} where family = ${uuid(0)}`,
  end: (schema) =>
    sql`delete from ${table(schema, 'service_sessions')} as s where s.family = (
        select t.family from ${table(schema, 'service_sessions')} as t where t.token = ${text(0)}) returning s."user"`,
  removeExpired: (schema) =>
    sql`delete from ${table(schema, 'service_sessions')} where token in (
      select s.token from ${table(schema, 'service_sessions')} as s where s.expires < now()
        limit 1000 for update skip locked)`,
}
