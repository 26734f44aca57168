import { parseExactJson } from '../lib/exact-json.ts'
import { between } from '../lib/failpoint.ts'
import { run } from '../sql/database.ts'
import type { DdlPlan } from '../sql/ddl.ts'
import type { Transaction } from '../sql/driver.ts'
import { serviceRowsOf, type ChangeContext } from './change-context.ts'
import { writeDown } from './change-journal.ts'
import { storePermissions } from './change-permissions.ts'
import { impatiently } from './change-waiting.ts'
import type { Change, MetadataChange } from './change.ts'
import type { Schema } from './schema.ts'

/** Applies the whole change in one transaction and returns the new version. */
export function define(context: ChangeContext, change: Change, plan: DdlPlan, schema: Schema): Promise<number> {
  const { database, systemSchema, failpoints } = context
  const { serviceTables, dialect } = database
  const { statements, preparations, afterwards = [] } = plan
  return impatiently(context, async (transaction) => {
    const store = (changes: readonly MetadataChange[]) => storeMetadata(context, changes, transaction)
    for (const { statement } of statements)
      await between(failpoints, 'schema.before-define', 'schema.after-define', () => transaction.query(statement))
    const isName = ({ table }: MetadataChange) => table === 'service_names'
    await store(change.metadata.filter((row) => !isName(row)))
    await pruneGone(context, change, schema, transaction)
    await storePermissions(change, store, database, systemSchema, transaction)
    if (preparations.length > 0) await run(serviceTables.steps.clear(systemSchema), transaction, dialect)
    for (const { statement, table } of afterwards.toReversed())
      await writeDown(context, { kind: 'statement', table, name: statement.text }, transaction)
    const [row] = await between(failpoints, 'schema.before-bump', 'schema.after-bump', () =>
      run(serviceTables.bump(systemSchema), transaction, dialect),
    )
    // Names are stored under the lock of the version row, as in storeNames.
    await store(change.metadata.filter(isName))
    await context.lease?.confirm(transaction)
    if (failpoints !== null) await failpoints.hit('schema.before-commit')
    return Number(row?.[0])
  })
}

async function storeMetadata(
  { database: { serviceTables, dialect }, systemSchema, failpoints }: ChangeContext,
  changes: readonly MetadataChange[],
  transaction: Transaction,
): Promise<void> {
  for (const change of changes) {
    const { kind, table } = change
    const statement =
      kind === 'insert'
        ? serviceTables.insert(systemSchema, table, change.values)
        : kind === 'remove'
          ? serviceTables.remove(systemSchema, table, change.keys)
          : serviceTables[kind](systemSchema, table, change.keys, change.values)
    const step = kind === 'insert' ? 'put' : kind
    await between(failpoints, `schema.before-${step}`, `schema.after-${step}`, () =>
      run(statement, transaction, dialect),
    )
  }
}

async function pruneGone(
  context: ChangeContext,
  { gone }: Change,
  schema: Schema,
  transaction: Transaction,
): Promise<void> {
  const { database, systemSchema, pruneReferences } = context
  const { dialect, guards, serviceTables } = database
  if (gone === null) return
  await run(guards.lockPermissions(systemSchema), transaction, dialect)
  const read = async (table: string) => {
    const [row] = await run(serviceRowsOf(context, table), transaction, dialect)
    return parseExactJson(row?.[0] ?? '[]') as Readonly<Record<string, unknown>>[]
  }
  const rows = { permissions: await read('service_permissions'), presets: await read('service_presets') }
  const changes = pruneReferences(gone, rows, schema)
  if (changes.length === 0) return
  await storeMetadata(context, changes, transaction)
  await run(serviceTables.bumpPermissions(systemSchema), transaction, dialect)
}
