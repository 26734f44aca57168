import type { Actor } from '../access/actor.ts'
import { grantFor } from '../access/grants.ts'
import type { Action, Permission } from '../access/permissions.ts'
import { collectionNames, noCollection } from '../query/resolve.ts'
import { findCollection, type Collection, type Schema } from '../schema/schema.ts'
import { ValueError } from '../sql/dialect.ts'
import type { Driver } from '../sql/driver.ts'
import { typed } from '../schema/typed-column.ts'
import { startPlan } from './plan-filter.ts'
import { holding } from './write/row-rules.ts'
import type { WriteServices } from './write/request.ts'

export interface RowQuestion {
  readonly collection: string
  readonly isSystem: boolean
  readonly action: Action
  /** null: no specific row. */
  readonly key: readonly string[] | null
}

export interface RuleState {
  readonly permission: Permission
  /** Whether the rule holds for the row; null if no key was given. */
  readonly holds: boolean | null
  /** The row condition as the database receives it, without values; null: every row. */
  readonly predicate: string | null
}

export interface RowPermissions {
  readonly collection: Collection
  readonly isAdmin: boolean
  /** Whether the row exists; null if no key was given. */
  readonly exists: boolean | null
  readonly rules: readonly RuleState[]
}

export async function rowPermissions(
  actor: Actor,
  { collection: name, isSystem, action, key }: RowQuestion,
  schema: Schema,
  services: WriteServices,
  driver: Driver,
): Promise<RowPermissions> {
  const collection = findCollection(schema, name, isSystem)
  if (collection === undefined) throw noCollection(name, 'root', collectionNames(schema, actor.mayUse))
  const access = { actor, schema, fits: services.fits, grants: services.grants }
  const rules = actor.isAdmin ? [] : (grantFor(action, collection, access)?.rules ?? [])
  const { statements } = services
  const cells = key === null ? null : cellsOf(key, collection, services)
  const found =
    cells === null
      ? null
      : await driver.transaction(
          (transaction) =>
            holding(action, rules, collection, collection.key, [cells], { access, statements, transaction }),
          'read',
        )
  const held = found?.get(0)
  const { dialect } = statements
  return {
    collection,
    isAdmin: actor.isAdmin,
    exists: key === null ? null : held !== undefined,
    rules: rules.map((rule) => ({
      permission: rule.permission,
      holds: key === null ? null : held?.has(rule) === true,
      predicate: rule.rows === null ? null : dialect.compile(startPlan(dialect).condition(rule.rows, 't')).text,
    })),
  }
}

/** An invalid key matches no row. */
function cellsOf(key: readonly string[], { key: fields }: Collection, { statements }: WriteServices): string[] | null {
  if (key.length !== fields.length || fields.length === 0) return null
  try {
    return fields.map((field, index) => statements.dialect.keyValue(key[index] ?? '', typed(field)))
  } catch (error) {
    if (error instanceof ValueError) return null
    throw error
  }
}
