import type { Statement } from '../../../driver.ts'

const path = `select n.oid, n.nspname, n.nspowner, n.nspacl from pg_catalog.pg_namespace n
    where n.nspname operator(pg_catalog.=) any (pg_catalog.current_schemas(false))
      and n.nspname operator(pg_catalog.<>) 'pg_catalog'`

/** Roles besides the owner and this one that may create in a schema of the path; 0 is everybody. */
const creators = `select p.nspname, a.grantee from path p,
    lateral pg_catalog.aclexplode(coalesce(p.nspacl, pg_catalog.acldefault('n', p.nspowner))) a
    where a.privilege_type operator(pg_catalog.=) 'CREATE' and a.grantee operator(pg_catalog.<>) p.nspowner
      and a.grantee operator(pg_catalog.<>) (select r.oid from pg_catalog.pg_roles r where r.rolname operator(pg_catalog.=) current_user)`

/** Schemas of the path with the roles that may create in them, for people. */
export const creatorsStatement: Statement = {
  text: `with path as (${path})
    select c.nspname, case c.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(c.grantee)) end,
      pg_catalog.quote_ident(c.nspname)
    from (${creators}) c order by 1, 2`,
  values: [],
}
