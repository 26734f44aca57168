import { between } from '../lib/failpoint.ts'
import { run } from '../sql/database.ts'
import type { DdlPlan, DdlStatements, Preparation, PreparedObject, TableRef } from '../sql/ddl.ts'
import { DatabaseError, type Transaction } from '../sql/driver.ts'
import type { ChangeContext } from './change-context.ts'
import { nameOf } from './change-faults.ts'
import { ifAlone } from './change-lock.ts'
import { runAlone } from './change-waiting.ts'

export const writeDown = (
  { database: { serviceTables, dialect }, systemSchema }: ChangeContext,
  { kind, table, name }: PreparedObject,
  transaction: Transaction,
): Promise<unknown> => run(serviceTables.steps.write(systemSchema, [{ kind, ...table, name }]), transaction, dialect)

/**
 * Runs slow steps ahead of the change. A crash leaves a step unfinished, so each one is journaled before it starts.
 */
export async function prepare(context: ChangeContext, { preparations }: DdlPlan): Promise<void> {
  const { database, failpoints } = context
  let begun: Preparation | null = null
  try {
    for (const preparation of preparations) {
      const { makes } = preparation
      if (makes !== null)
        await between(failpoints, 'schema.before-journal', 'schema.after-journal', () =>
          database.schemaDriver.transaction((transaction) => writeDown(context, makes, transaction)),
        )
      begun = preparation
      await between(failpoints, 'schema.before-prepare', 'schema.after-prepare', () => runAlone(context, preparation))
      begun = null
    }
  } catch (error) {
    // There is nothing to undo, and a role without permission for the step may not undo it either.
    if (begun !== null && begun.makes !== null && isUnmade(error, begun, database.ddl)) await removeLastStep(context)
    await takeBack(context)
    throw error
  }
}

/**
 * Whether the database refused the statement as a whole. A statement outside of a transaction may leave an unfinished
 * object behind, unless permission to run it was denied.
 */
function isUnmade(error: unknown, { isOutside }: Preparation, ddl: DdlStatements): boolean {
  if (!(error instanceof DatabaseError) || error.fault === 'unavailable') return false
  return !isOutside || ddl.faultOf(error) === 'not-permitted'
}

const removeStep = (
  { database: { schemaDriver, serviceTables, dialect }, systemSchema }: ChangeContext,
  id: string,
): Promise<unknown> =>
  schemaDriver.transaction((transaction) => run(serviceTables.steps.remove(systemSchema, id), transaction, dialect))

async function removeLastStep(context: ChangeContext): Promise<void> {
  const { schemaDriver, serviceTables, dialect } = context.database
  const [last] = await run(serviceTables.steps.list(context.systemSchema), schemaDriver, dialect)
  if (last !== undefined) await removeStep(context, last[4] ?? '')
}

/** A step that the database refuses to undo. */
interface Stuck {
  readonly table: TableRef
  readonly error: DatabaseError
}

/**
 * Undoes journaled steps. Call it only under the lock, when no other replica prepares a change. Returns the step that
 * the database refuses to undo.
 */
export async function takeBack(context: ChangeContext): Promise<Stuck | null> {
  const { database, systemSchema, failpoints, observe } = context
  const { schemaDriver, serviceTables, dialect, ddl } = database
  const rows = await run(serviceTables.steps.list(systemSchema), schemaDriver, dialect)
  if (rows.length === 0) return null
  const objects = rows.map(([kind, schema, table, name]): PreparedObject => ({
    kind: kind === 'index' || kind === 'column' || kind === 'statement' ? kind : 'constraint',
    table: { schema: schema ?? '', table: table ?? '' },
    name: name ?? '',
  }))
  for (const [index, object] of objects.entries()) {
    try {
      await between(failpoints, 'schema.before-take-back', 'schema.after-take-back', () =>
        runAlone(context, ddl.takeBack(object)),
      )
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.fault === 'unavailable') throw error
      const { table, name } = object
      observe({ kind: 'undo-failed', object: `${nameOf(table)} ${name}`, error })
      return { table, error }
    }
    // Removed one by one: repeating the undo of a later step could revert the undo of an earlier one.
    await removeStep(context, rows[index]?.[4] ?? '')
  }
  observe({ kind: 'change-undone', objects: objects.map(({ table, name }) => `${nameOf(table)} ${name}`) })
  return null
}

/** Cleans up after the commit. A failed cleanup is repeated at the next change or the next start. */
export async function clearAway(context: ChangeContext, { afterwards = [] }: DdlPlan): Promise<void> {
  const { database, systemSchema, failpoints, observe } = context
  const { schemaDriver, serviceTables, dialect } = database
  if (afterwards.length === 0) return
  try {
    for (const { statement } of afterwards)
      await between(failpoints, 'schema.before-clear-away', 'schema.after-clear-away', () =>
        runAlone(context, { statement, isOutside: false }),
      )
    await schemaDriver.transaction((transaction) => run(serviceTables.steps.clear(systemSchema), transaction, dialect))
  } catch (error) {
    observe({ kind: 'cleanup-postponed', error })
  }
}

/** Undoes the steps that a crash left, unless another replica is changing the schema. */
export async function recover(context: ChangeContext): Promise<void> {
  const { driver, serviceTables, dialect } = context.database
  const left = await run(serviceTables.steps.list(context.systemSchema), driver, dialect)
  if (left.length > 0) await ifAlone(context, takeBack)
}
