import { columnOf, type Schema, type Table } from './schema.ts'
import { isMade, rowsOf, type State, valueOf } from './state.ts'
import { toJson } from './values.ts'
import type { Json } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import type { Cast } from '../rights/cast.ts'
import { convert } from './convert.ts'
import { randomRights, type RightsOptions } from '../rights/random-rights.ts'
import type { Permission, Rights } from '../rights/rights.ts'
import { CHECK_NAMES } from '../rights/validation.ts'

/** Permissions for every action, including presets and validations. */
export function randomWriteRights(rng: Rng, schema: Schema, state: State, cast: Cast): Rights {
  const options: RightsOptions = {
    actions: ['create', 'read', 'update', 'delete'],
    share: rng.pick([0.6, 0.8, 0.95]),
    openFields: rng.pick([0.2, 0.5, 0.7]),
    openRows: rng.pick([0.3, 0.6]),
    written: (source, collection) => randomWritten(source, schema, state, collection),
  }
  return randomRights(rng, convert(schema, state).model, cast, options)
}

type Written = Pick<Permission, 'validation' | 'presets'>

function randomWritten(rng: Rng, schema: Schema, state: State, name: string): Written {
  const table = schema.tables.get(name)!
  return {
    presets: rng.chance(0.2) ? randomPresets(rng, table, state) : null,
    validation: rng.chance(0.3) ? randomValidation(rng, table, state) : null,
  }
}

/** Columns that are not part of a key, a unique constraint or a reference. */
function freeColumns(table: Table): string[] {
  const { any, columns, key, uniques, foreignKeys } = table
  const bound = new Set([
    ...key,
    ...uniques.flat(),
    ...foreignKeys.flatMap((foreignKey) => [...foreignKey.columns, foreignKey.declared?.sortField ?? '']),
    ...(any === null ? [] : [any.column, any.collectionColumn]),
  ])
  return columns.map(({ name }) => name).filter((name) => !bound.has(name))
}

/** The values stored in the column. */
function valuesOf(table: Table, name: string, state: State): Json[] {
  const column = columnOf(table, name)!
  return rowsOf(state, table.name).flatMap((row) => {
    const value = valueOf(row, name)
    // Rules interpret these words differently.
    return value === null || isMade(value) || ['', 'null', 'true', 'false'].includes(value)
      ? []
      : [toJson(column, value)]
  })
}

function randomPresets(rng: Rng, table: Table, state: State): Record<string, Json> {
  const chosen = rng.sample(freeColumns(table), 1, 2).flatMap((name): [string, Json][] => {
    const values = valuesOf(table, name, state)
    return values.length === 0 ? [] : [[name, rng.pick(values)]]
  })
  return Object.fromEntries(chosen)
}

/** Types whose values have only one comparison. */
const COMPARED: ReadonlySet<string> = new Set(['integer', 'text', 'varchar', 'uuid'])

/** One condition, or two combined with `_or` or `_and`. */
function randomValidation(rng: Rng, table: Table, state: State): Record<string, Json> | null {
  const first = randomCondition(rng, table, state)
  const second = rng.chance(0.4) ? randomCondition(rng, table, state) : null
  if (first === null || second === null) return first
  return rng.chance(0.7) ? { _or: [first, second] } : { _and: [first, second] }
}

function randomCondition(rng: Rng, table: Table, state: State): Record<string, Json> | null {
  const names = freeColumns(table).filter((name) => COMPARED.has(columnOf(table, name)!.type))
  if (names.length === 0) return null
  // Labels are never sent as NULL, so other columns test NULL.
  const emptied = names.filter((name) => name !== 'label' && columnOf(table, name)!.nullable)
  const name = rng.pick(emptied.length > 0 && rng.chance(0.7) ? emptied : names)
  const values = valuesOf(table, name, state)
  const operator = values.length === 0 ? '_nnull' : rng.pick(CHECK_NAMES)
  const operand: Json = operator.endsWith('null')
    ? true
    : operator.endsWith('in')
      ? rng.sample(values, 1, 3)
      : rng.pick(values)
  return { [name]: { [operator]: operand } }
}
