import { ServiceError } from '@tain/contract'
import type { SecretEncryption } from '../../auth/secret-encryption.ts'
import type { Catalogue, Change, MetadataTable, SchemaChange, SchemaChanger } from '../../schema/change.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Finding, MigrationReport } from './findings.ts'
import { isMoved } from './names.ts'
import { planMetadata } from './plan-metadata.ts'
import { planSystemRows } from './plan-system-rows.ts'
import { createCounting } from './row-change.ts'
import { collectionRows, fieldRows, oldTableRows, relationRows } from './schema-rows.ts'
import { readSource, type Source } from './source.ts'
import { isDirectus } from './tables.ts'

export interface MigrationOptions {
  /** Overwrites rows that exist with those of Directus. */
  readonly isReplacing: boolean
  /** Drops foreign keys to tables of Directus, so that their relations lead to the service's collections. */
  readonly isDetaching: boolean
}

/** Takes the metadata, users and permissions of a Directus that uses the same database. */
export interface DirectusMigration {
  run(options: MigrationOptions): Promise<MigrationReport>
  /** Returns the same report and writes nothing. */
  dryRun(options: MigrationOptions): Promise<MigrationReport>
}

export interface DirectusMigrationContext {
  readonly changes: SchemaChanger
  readonly encryption: SecretEncryption | null
  /** True if the service has no tables of its own. */
  readonly isReadOnly: boolean
}

interface Plan {
  readonly change: Change
  readonly report: MigrationReport
}

export function createDirectusMigration(context: DirectusMigrationContext): DirectusMigration {
  const { changes, isReadOnly } = context
  return {
    dryRun: (options) =>
      changes.look(async (schema, catalogue) => (await plan(schema, catalogue, context, options)).report),
    async run(options) {
      if (isReadOnly) throw new ServiceError('UNPROCESSABLE_CONTENT', 'The service runs read-only and stores nothing.')
      const made: MigrationReport[] = []
      await changes.change(async (schema, catalogue) => {
        const { change, report } = await plan(schema, catalogue, context, options)
        made.push(report)
        return change
      })
      const report = made.at(-1)
      if (report === undefined) throw new TypeError('a change was made without a plan')
      return report
    },
  }
}

async function plan(
  schema: Schema,
  catalogue: Catalogue,
  context: DirectusMigrationContext,
  options: MigrationOptions,
): Promise<Plan> {
  const source = await readSource(schema, catalogue)
  const counting = createCounting()
  const mapped = [collectionRows(source), fieldRows(source), relationRows(source, options.isDetaching)]
  const metaRows = [...mapped.flatMap(({ rows }) => rows), ...oldTableRows(source)]
  const metadata = planMetadata(metaRows, await catalogue.metadata(), options.isReplacing, counting)
  // Rules must not depend on the old tables, whose rows no longer change.
  const after = await catalogue.schemaWith(metadata.overlay, ({ table }) => isDirectus(table))
  const held = async (table: MetadataTable) => (context.isReadOnly ? [] : catalogue.rows(table))
  const { isReplacing } = options
  const { encryption } = context
  const rows = await planSystemRows({ source, schema: after, held, encryption, isReplacing, counting })
  const keys = oldForeignKeys(schema, source)
  const dropped = options.isDetaching ? keys.filter(({ isRelation }) => isRelation) : []
  const findings = [
    ...source.withoutEqual,
    ...mapped.flatMap((each) => each.findings),
    ...keys.filter(({ isRelation }) => !isRelation).map(({ finding }) => finding),
    ...metadata.findings,
    ...rows.findings,
  ]
  return {
    change: {
      ddl: dropped.map(({ ddl }) => ddl),
      metadata: metadata.changes,
      gone: null,
      permissionChanges: rows.changes,
    },
    report: { rows: counting.tallies, findings, dropped: dropped.map(({ name }) => name) },
  }
}

interface OldKey {
  readonly name: string
  readonly ddl: SchemaChange
  /** Metadata keeps the relation when the foreign key is gone. */
  readonly isRelation: boolean
  readonly finding: Finding
}

/** Foreign keys of other tables to rows that the service takes over. */
function oldForeignKeys(schema: Schema, source: Source): readonly OldKey[] {
  const relations = new Set(
    source.rows('directus_relations').map((row) => `${row['many_collection']}.${row['many_field']}`),
  )
  const keysOf = ({ name, schema: owner, table, foreignKeys }: Collection): OldKey[] =>
    foreignKeys
      .filter(({ toTable }) => isMoved(toTable))
      .map((key) => {
        const what = `${name}.${key.columns.join(',')}`
        return {
          name: `${what} (${key.name})`,
          ddl: { kind: 'drop-constraint', table: { schema: owner, table }, name: key.name },
          isRelation: relations.has(what),
          finding: { kind: 'foreign-key', what, why: `It leads to ${key.toTable}.` },
        }
      })
  return [...schema.collections.values()]
    .filter(({ name, isSystem }) => !isSystem && !isDirectus(name))
    .flatMap((collection) => keysOf(collection))
}
