import type { Guard } from './guard.ts'
import type { Payload, Run } from './run-state.ts'
import { columnOf, relationsOf, type Relation, type Schema, type Table } from './schema.ts'
import { type Row as WriteRow, type Value } from './state.ts'
import { Refused } from './values.ts'
import type { Filter } from '../reads/ast.ts'
import type { Row } from '../database/model.ts'
import { convert, type Converted, convertState } from './convert.ts'
import {
  type Action,
  grantOf,
  grants,
  isInUnion,
  type Permission,
  type Rights,
  type EffectivePermissions,
} from '../rights/rights.ts'
import { meets, plainValue } from '../rights/validation.ts'
import { createView, type View } from '../rights/view.ts'

export interface GuardOptions {
  /** Switches off one of the two checks, to see which of them rejects the write. */
  readonly checksRights: boolean
  readonly checksValidation: boolean
  /** Whether fields that do not exist for the caller are rejected. */
  readonly checksNames: boolean
}

const ACTIONS: readonly Action[] = ['create', 'read', 'update', 'delete']

const refuse = (reason: string) => new Refused(403, reason)

const UNSTABLE = 'rights hang on what the request itself writes'

/** Implements docs/access.md, "Writing", for one caller. */
export function createGuard(rights: Rights, effective: EffectivePermissions, options: GuardOptions): Guard {
  const { isAdmin } = effective
  const isFree = isAdmin || !options.checksRights
  const views = new WeakMap<Converted, View>()
  const viewOf = (converted: Converted): View => {
    const view = views.get(converted) ?? createView(converted.model, rights, effective)
    views.set(converted, view)
    return view
  }

  /**
   * Decides on the row as it was before. The contract leaves open cases where the current row would decide differently.
   */
  const decide = (run: Run, row: WriteRow, test: (view: View, row: Row) => boolean, looksAgain = false): boolean => {
    const before = convert(run.schema, run.before)
    const old = before.rowOf.get(row.id)
    if (old === undefined) {
      run.open.add(UNSTABLE)
      return true
    }
    const isMet = test(viewOf(before), old)
    if (looksAgain) {
      const now = convertState(run.schema, run.after)
      const current = now.rowOf.get(row.id)
      if (current === undefined || test(viewOf(now), current) !== isMet) run.open.add(UNSTABLE)
    }
    return isMet
  }

  const grant = (table: Table, action: Action): readonly Permission[] => grantOf(effective, table.name, action)

  const mayUse = (name: string) => ACTIONS.some((action) => grantOf(effective, name, action).length > 0)

  /**
   * An inferred field is named after the tables it leads through. Without a permission on them, the field is unknown.
   */
  const checkKnown = ({ schema }: Pick<Run, 'schema'>, table: Table, names: readonly string[]): void => {
    if (isAdmin || !options.checksNames) return
    const relations = relationsOf(schema, table.name)
    const unknown = names.find((name) => !inferredOver(schema, relations.get(name)).every(mayUse))
    if (unknown !== undefined) throw new Refused(400, `${table.name}.${unknown} is not there for the caller`)
  }

  const checkNames = (table: Table, action: Action, names: readonly string[]): void => {
    const permissions = grant(table, action)
    if (permissions.length === 0) throw refuse(`no ${action} on ${table.name}`)
    const closed = names.find((name) => !isInUnion(permissions, name))
    if (closed !== undefined) throw refuse(`no ${action} of ${table.name}.${closed}`)
  }

  const presetsFor = (
    table: Table,
    action: 'create' | 'update',
    payload: Payload,
    placed: readonly string[],
  ): Payload => {
    if (isAdmin) return {}
    const permissions = grant(table, action)
    const merged: Payload = Object.assign({}, ...permissions.map(({ presets }) => presets ?? {})) as Payload
    const presets = Object.fromEntries(Object.entries(merged).filter(([name]) => !placed.includes(name)))
    if (options.checksValidation) checkValues(table, action, { ...presets, ...payload })
    return presets
  }

  const checkValues = (table: Table, action: 'create' | 'update', whole: Payload): void => {
    const values = new Map<string, Value>()
    for (const [name, sent] of Object.entries(whole)) {
      const value = plainValue(table, name, sent)
      if (value !== undefined) values.set(name, value)
    }
    for (const { validation } of grant(table, action))
      if (validation !== null && !meets(table, validation, values, action))
        throw new Refused(400, `${table.name}: validation`)
  }

  const checkChange = (run: Run, table: Table, row: WriteRow, sent: readonly string[]): void => {
    if (isFree) return
    checkNames(table, 'update', sent)
    const holding = (view: View, old: Row) => grant(table, 'update').filter((permission) => view.holds(permission, old))
    const isOpen = decide(run, row, (view, old) => {
      const rules = holding(view, old)
      return rules.length > 0 && sent.every((name) => rules.some((rule) => grants(rule, name)))
    })
    if (!isOpen) throw refuse(`no update of a row of ${table.name}`)
  }

  const isVisible = (table: Table) => (view: View, row: Row) => isAdmin || view.isVisible(table.name, row)

  return {
    begin: (_run, table, actions) => {
      if (!isFree && actions.every((action) => grant(table, action).length === 0))
        throw refuse(`nothing on ${table.name}`)
    },
    create: (run, table, payload, placed) => {
      checkKnown(run, table, Object.keys(payload))
      if (!isFree) {
        checkNames(table, 'create', [...Object.keys(payload), ...placed])
      }
      return presetsFor(table, 'create', payload, placed)
    },
    update: (run, table, row, payload, placed) => {
      checkKnown(run, table, Object.keys(payload))
      checkChange(run, table, row, [...Object.keys(payload), ...placed])
      const presets = presetsFor(table, 'update', payload, [...placed, ...table.key])
      return presets
    },
    empty: (run, table, row, columns) => {
      checkChange(run, table, row, columns)
      const emptied = Object.fromEntries(columns.map((name) => [name, null]))
      if (options.checksValidation && !isAdmin) checkValues(table, 'update', emptied)
    },
    remove: (run, table, row) => {
      if (isFree) return
      const permissions = grant(table, 'delete')
      const isOpen = decide(
        run,
        row,
        (view, old) => permissions.some((permission) => view.holds(permission, old)),
        true,
      )
      if (!isOpen) throw refuse(`no delete of a row of ${table.name}`)
    },
    link: (run, table, row) => {
      if (!isFree && !decide(run, row, isVisible(table))) throw refuse(`a row of ${table.name} that is not visible`)
    },
    miss: (_run, table) => {
      const isWhole = grant(table, 'read').some(({ rule }) => isEveryRow(rule))
      if (!isFree && !isWhole) throw refuse(`${table.name} is not wholly readable`)
    },
    sees: (run, table, row) => isFree || decide(run, row, isVisible(table), true),
    query: (_run, table, columns) => {
      if (!isFree)
        checkNames(
          table,
          'read',
          columns.filter((name) => columnOf(table, name) !== undefined),
        )
    },
    shows: (run, table, row, column) => isFree || decide(run, row, (view, old) => view.sees(table.name, old, column)),
  }
}

const isEveryRow = (rule: Permission['rule']): boolean =>
  rule === null || (rule.kind === 'filter' && asksNothing(rule.filter))

const asksNothing = (filter: Filter): boolean => filter.kind === 'and' && filter.items.every(asksNothing)

/** The tables that an inferred field leads through; none for a column or a declared field. */
function inferredOver(schema: Schema, relation: Relation | undefined): readonly string[] {
  switch (relation?.kind) {
    case 'one':
      return relation.columns.length > 1 ? [relation.target] : []
    case 'through':
      return [relation.target, relation.junction]
    case 'many': {
      const keys = schema.tables.get(relation.child)?.foreignKeys ?? []
      const key = keys.find(({ columns }) => columns.join() === relation.childColumns.join())
      return key?.declared === null ? [relation.child] : []
    }
    default:
      return []
  }
}

/** Fields of a table that a permission can name. */
export const fieldNames = (run: Pick<Run, 'schema'>, table: Table): string[] => [
  ...table.columns.map(({ name }) => name),
  ...[...relationsOf(run.schema, table.name).values()].filter(({ kind }) => kind !== 'any').map(({ field }) => field),
]
