import type { TestDatabase } from '../lib/databases.ts'

const ours = `select oid from pg_namespace
  where nspname !~ '^pg_' and nspname not in ('information_schema', 'tain')`
const relations = `select oid from pg_class where relnamespace in (${ours})`

/** Columns of pg_class that the database updates itself: estimates and freezing. */
const estimates = `'{relpages,reltuples,relallvisible,relfrozenxid,relminmxid}'::text[]`

/** Rows with the transaction that wrote them, so that even a change without effect is detected. */
const written = (table: string, where: string) => `
  select to_jsonb(x)::text || ' ' || x.xmin from ${table} x where ${where} order by 1`

const catalogues: Readonly<Record<string, string>> = {
  pg_namespace: written('pg_namespace', `x.oid in (${ours})`),
  pg_class: `select (to_jsonb(x) - ${estimates})::text from pg_class x where x.oid in (${relations}) order by 1`,
  pg_attribute: written('pg_attribute', `x.attrelid in (${relations})`),
  pg_attrdef: written('pg_attrdef', `x.adrelid in (${relations})`),
  pg_constraint: written('pg_constraint', `x.connamespace in (${ours})`),
  pg_index: written('pg_index', `x.indrelid in (${relations})`),
  pg_proc: written('pg_proc', `x.pronamespace in (${ours})`),
  pg_trigger: written('pg_trigger', `x.tgrelid in (${relations})`),
  pg_rewrite: written('pg_rewrite', `x.ev_class in (${relations})`),
  pg_policy: written('pg_policy', `x.polrelid in (${relations})`),
  pg_type: written('pg_type', `x.typnamespace in (${ours})`),
  pg_enum: written('pg_enum', 'true'),
  pg_description: written('pg_description', `x.objoid in (${relations})`),
  pg_default_acl: written('pg_default_acl', 'true'),
  pg_event_trigger: written('pg_event_trigger', 'true'),
  pg_extension: written('pg_extension', 'true'),
  pg_publication: written('pg_publication', 'true'),
  pg_sequence: written('pg_sequence', `x.seqrelid in (${relations})`),
}

interface Relation {
  readonly name: string
  readonly kind: string
}

async function relationsOf({ query }: TestDatabase): Promise<Relation[]> {
  const rows = await query(
    `select oid::regclass::text, relkind::text from pg_class
     where relnamespace in (${ours}) and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`,
  )
  return rows.map(([name, kind]) => ({ name: name ?? '', kind: kind ?? '' }))
}

/**
 * Stored rows with their position (ctid), writer (xmin) and locker (xmax): an update, a lock or a rewrite would show.
 */
function contentText({ name, kind }: Relation): string {
  if (kind === 'S') return `select last_value || ' ' || is_called || ' ' || log_cnt from ${name}`
  if (kind === 'v') return `select to_jsonb(x)::text from ${name} x order by 1`
  return `select concat_ws(' ', x.tableoid, x.ctid, x.xmin, x.xmax, to_jsonb(x)) from ${name} x order by 1`
}

/** Everything that users consider their database, as strings keyed by catalogue or relation. */
export async function readEverything(database: TestDatabase): Promise<Record<string, readonly (string | null)[]>> {
  const content = (await relationsOf(database)).map((relation) => [relation.name, contentText(relation)] as const)
  const found: Record<string, readonly (string | null)[]> = {}
  for (const [name, text] of [...Object.entries(catalogues), ...content]) {
    found[name] = (await database.query(text)).map(([row]) => row ?? null)
  }
  return found
}
