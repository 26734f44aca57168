import type { DdlPlan, Preparation, PrintedTable, SchemaChange } from '../../ddl.ts'
import type { Capabilities } from './capabilities.ts'
import { addColumn, dropColumn, modify } from './ddl-column-steps.ts'
import { addIndex, dropNamed } from './ddl-key-steps.ts'
import { addKey, dropConstraint } from './ddl-own-keys.ts'
import { createStepPlan, unsupported, type Of, type StepPlan } from './ddl-step-plan.ts'
import { commentTable, createTable, dropTable } from './ddl-table-steps.ts'
import { setType } from './ddl-type-steps.ts'
import { defaultText } from './ddl-types.ts'
import { literal } from './names.ts'

/**
 * Every statement of this database commits by itself. So each step is recorded with its undo statement before it runs,
 * nothing is lost before the change is certain, and dropped objects are only renamed until then.
 */
export function planSteps(changes: readonly SchemaChange[], printed: PrintedTable, can: Capabilities): DdlPlan {
  if (changes.length > 0 && !can.takesBackChanges)
    throw unsupported(
      'The schema of this database cannot be changed from here: a change that fails could not be rolled back.',
    )
  const plan = createStepPlan(changes, printed, can)
  for (const change of changes) {
    const add = steps[change.kind] as (plan: StepPlan, change: SchemaChange) => void
    add(plan, change)
  }
  const checks = plan.guards.map((guard): Preparation => ({ ...guard, isOutside: false, makes: null }))
  return { preparations: [...plan.preparations, ...checks], statements: [], afterwards: plan.afterwards }
}

const steps: { readonly [Kind in SchemaChange['kind']]: (plan: StepPlan, change: Of<Kind>) => void } = {
  'create-table': createTable,
  'drop-table': (plan, { table }) => dropTable(plan, table),
  // The step that drops the object checks it.
  'check-empty': () => undefined,
  'comment-table': commentTable,
  'add-column': addColumn,
  'drop-column': dropColumn,
  'set-type': setType,
  'set-default': (plan, { table, column, default: value, form }) =>
    modify(plan, table, column, { default: value === null ? null : defaultText(value, form) }),
  'set-not-null': (plan, { table, column }) => modify(plan, table, column, { isNullable: false }, { rewrites: true }),
  'drop-not-null': (plan, { table, column }) => modify(plan, table, column, { isNullable: true }, { rewrites: true }),
  'comment-column': (plan, { table, column, comment }) =>
    modify(plan, table, column, { comment: comment === null ? null : literal(comment) }),
  'add-index': addIndex,
  'add-unique': addIndex,
  'drop-index': dropNamed,
  'drop-constraint': dropConstraint,
  'add-foreign-key': addKey,
}
