import type { MirrorScope as WholeScope } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import type { Capabilities, Server } from './capabilities.ts'
import { insertTriggerRows } from './insert-triggers.ts'

export type MirrorScope = Pick<WholeScope, 'systemSchema' | 'schemas'>

/** $1 is the system schema, $2 the requested schemas. Introspection and fingerprint must use the same condition. */
export const mirroredSchema = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> $1
    and ($2::text[] is null or n.nspname = any($2::text[])) and has_schema_privilege(n.oid, 'USAGE')`

const relationKinds = `'r', 'p', 'v', 'm', 'f'`

/** Partitions are served through their parent, so creating one does not change the schema. */
export const mirroredRelation = `c.relkind in (${relationKinds}) and not c.relispartition`

/** Other tables inherit from it. Until the next ANALYZE it may be true although they are gone. */
export const hasChildren = `c.relhassubclass and c.relkind <> 'p'`

/**
 * Hashes catalogue rows by the transaction that wrote them: any change adds rows of a new transaction or removes rows
 * of an old one. Grouping first leaves few values to convert to text; the sum makes their order irrelevant.
 */
const writtenBy = (rows: string) => `(
    select sum(hashtextextended(written.xmin::text || ' ' || written.rows, 0))
    from (select x.xmin, count(*) as rows from ${rows} group by x.xmin) written)`

/** The same by the content of the rows, for engines that do not tell who wrote them. */
const holding = (rows: string) => `(select sum(hashtextextended(x::text, 0)) from ${rows})`

interface Comparison {
  readonly hashOf: (rows: string) => string
  /** Setting a default always writes the column's row too, but not always another content. */
  readonly defaults: string
}

const comparisons: Readonly<Record<Capabilities['fingerprint'], Comparison>> = {
  xmin: { hashOf: writtenBy, defaults: '' },
  content: {
    hashOf: holding,
    defaults: `
    'd', ${holding('pg_catalog.pg_attrdef x where x.adrelid = any((select oids from relations)::oid[])')},`,
  },
}

const isSuperuser = '(select rolsuper from pg_catalog.pg_roles where rolname = current_user)'

// This query runs all the time, so every millisecond counts. Measured with 50,000 columns:
// - an array of relations uses the index of pg_attribute, where a join reads the whole catalogue
// - pg_attrdef need not be read, see `defaults`
// - after its creation only the validity of an index changes, so all index oids and the invalid ones are enough
// pg_class is compared by content, because TRUNCATE writes new rows there. Column privileges are in pg_attribute.
// Unless the current role is a superuser, its role memberships also decide its privileges. Temporary tables must
// never count.
const textWith = ({ hashOf, defaults }: Comparison) => `
  with schemas as materialized (
    select n.oid, n.nspname, n.nspacl from pg_catalog.pg_namespace n where ${mirroredSchema}
  ), relations as materialized (
    select array_agg(c.oid) filter (where c.relkind not in ('i', 'I')) as oids,
      sum(case when c.relkind in ('i', 'I') then hashoidextended(c.oid, 0) else
        hashtextextended(concat_ws(' ', c.oid, c.relkind, c.relnamespace, c.relowner, c.relacl, c.relname, ${hasChildren}), 0)
      end) as hash
    from pg_catalog.pg_class c
    where c.relnamespace = any(array(select oid from schemas))
      and c.relkind in ('i', 'I', ${relationKinds}) and not c.relispartition
  )
  select md5(concat_ws(' ',
    current_user,
    ${isSuperuser},
    (select sum(hashtextextended(concat_ws(' ', oid, nspacl, nspname), 0)) from schemas),
    (select hash from relations),
    'v', (select sum(hashoidextended(indexrelid, 0)) from pg_catalog.pg_index where not indisvalid),
    'a', ${hashOf(
      'pg_catalog.pg_attribute x where x.attrelid = any((select oids from relations)::oid[]) and x.attnum > 0',
    )},${defaults}
    'c', ${hashOf(
      `pg_catalog.pg_constraint x
        where x.contype in ('f', 'p', 'u') and x.conparentid = 0
          and x.connamespace = any(array(select oid from schemas))`,
    )},
    'g', ${hashOf(insertTriggerRows.triggers)},
    'r', ${hashOf(insertTriggerRows.rules)},
    't', ${hashOf(`pg_catalog.pg_description x where x.classoid = 'pg_catalog.pg_class'::regclass`)},
    'e', ${hashOf('pg_catalog.pg_enum x')},
    'y', ${hashOf(`pg_catalog.pg_type x where x.typtype in ('d', 'e')`)},
    'm', ${hashOf(`pg_catalog.pg_auth_members x where not ${isSuperuser} and pg_has_role(x.member, 'MEMBER')`)}
  ))`

const texts = { xmin: textWith(comparisons.xmin), content: textWith(comparisons.content) }

/** Returns one row with one value, which differs whenever the result of introspection may differ. */
export const fingerprintStatement = (
  { systemSchema, schemas }: MirrorScope,
  by: Capabilities['fingerprint'] = 'xmin',
): Statement => ({
  text: texts[by],
  values: [systemSchema, schemas],
  name: 'mirror-fingerprint',
})

export const createFingerprint =
  (server: Server) =>
  (scope: MirrorScope): Statement =>
    fingerprintStatement(scope, server.can.fingerprint)
