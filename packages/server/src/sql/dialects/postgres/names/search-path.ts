import type { Statement } from '../../../driver.ts'
import { usedFunctions, usedOperators } from './used-names.ts'

const listOf = (names: readonly string[]) => `'{${names.map((name) => `"${name}"`).join(',')}}'::pg_catalog.name[]`

const path = `select n.oid, n.nspname, n.nspowner, n.nspacl from pg_catalog.pg_namespace n
    where n.nspname operator(pg_catalog.=) any (pg_catalog.current_schemas(false))
      and n.nspname operator(pg_catalog.<>) 'pg_catalog'`

/** Extensions are there by the will of an administrator. Those that replace functions ask for a path that names the system later. */
const isForeign = (catalogue: string, oid: string) => `not exists (select from pg_catalog.pg_depend d
      where d.classid operator(pg_catalog.=) '${catalogue}'::pg_catalog.regclass
        and d.objid operator(pg_catalog.=) ${oid} and d.deptype operator(pg_catalog.=) 'e')`

/** Roles besides the owner and this one that may create in a schema of the path; 0 is everybody. */
const creators = `select p.nspname, a.grantee from path p,
    lateral pg_catalog.aclexplode(coalesce(p.nspacl, pg_catalog.acldefault('n', p.nspowner))) a
    where a.privilege_type operator(pg_catalog.=) 'CREATE' and a.grantee operator(pg_catalog.<>) p.nspowner
      and a.grantee operator(pg_catalog.<>) (select r.oid from pg_catalog.pg_roles r where r.rolname operator(pg_catalog.=) current_user)`

/**
 * Whether names without a schema mean what the system means by them: it is searched first, nobody else may create in the
 * other schemas, and they have no function or operator with a name that the service uses.
 */
export const searchPathIsSafe = `(with path as (${path})
    select (select s.name from pg_catalog.unnest(pg_catalog.current_schemas(true)) with ordinality as s (name, n)
        where not s.name operator(pg_catalog.~~) 'pg\\_temp\\_%' order by s.n limit 1) operator(pg_catalog.=) 'pg_catalog'
      and not exists (${creators})
      and not exists (select from pg_catalog.pg_proc f join path p on p.oid operator(pg_catalog.=) f.pronamespace
        where f.proname operator(pg_catalog.=) any (${listOf(usedFunctions)}) and ${isForeign('pg_catalog.pg_proc', 'f.oid')})
      and not exists (select from pg_catalog.pg_operator o join path p on p.oid operator(pg_catalog.=) o.oprnamespace
        where o.oprname operator(pg_catalog.=) any (${listOf(usedOperators)}) and ${isForeign('pg_catalog.pg_operator', 'o.oid')}))`

export const searchPathStatement: Statement = { text: `select ${searchPathIsSafe}`, values: [] }

/** Schemas of the path with the roles that may create in them, for people. */
export const creatorsStatement: Statement = {
  text: `with path as (${path})
    select c.nspname, case c.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(c.grantee)) end,
      pg_catalog.quote_ident(c.nspname)
    from (${creators}) c order by 1, 2`,
  values: [],
}
