import { ServiceError } from '@tain/contract'
import { bindFilter } from '../query/bind-filter.ts'
import { PatternError, patternOf } from '../lib/pattern.ts'
import { parseFilter } from '../query/parse-filter.ts'
import { everything } from '../query/resolve.ts'
import { ruleConstants } from '../query/values.ts'
import { findField, type Collection, type Schema } from '../schema/schema.ts'
import { fieldsOf, hasNoOperator, isRuleOperator } from './evaluate.ts'
import type { Permission } from './permissions.ts'
import { fieldNames, hint } from './unknown-names.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: 100_000 }

type Rules = Pick<Permission, 'rule' | 'validation' | 'presets'>

/** The first problem that makes the rules of a permission unusable; null: none. */
export function ruleProblem(
  { rule, validation, presets }: Rules,
  collection: Collection,
  schema: Schema,
): string | null {
  return filterProblem(rule, collection, schema) ?? writtenProblem({ validation, presets }, collection)
}

export function filterProblem(rule: unknown, collection: Collection, schema: Schema): string | null {
  if (rule === undefined || rule === null) return null
  try {
    const filter = parseFilter(rule, ruleConstants, LIMITS)
    if (filter !== null)
      bindFilter(filter, collection, { schema, visibility: everything, at: 'permissions', limitDefault: 0 })
    return null
  } catch (error) {
    if (error instanceof ServiceError) return `"permissions" cannot be used: ${error.message}`
    throw error
  }
}

/** Checks rules on written values. Fields that `knows` rejects count as missing, so that they stay secret. */
export function writtenProblem(
  { validation, presets }: Omit<Rules, 'rule'>,
  collection: Collection,
  knows: (field: string) => boolean = () => true,
): string | null {
  const malformed = shapeProblem(validation)
  if (malformed !== null) return malformed
  const missing = (validation === null || validation === undefined ? [] : fieldsOf(validation)).find(
    (name) => !collection.columns.has(name) || !knows(name),
  )
  if (missing !== undefined)
    return `"validation" names "${missing}", which is no column of "${collection.name}"${hint(missing, collection.columns.keys())}`
  const preset = Object.keys(presets ?? {}).find((name) => findField(collection, name) === undefined || !knows(name))
  return preset === undefined
    ? null
    : `"presets" names "${preset}", which is no field of "${collection.name}"${hint(preset, fieldNames(collection))}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Validations run on values before they are stored, so their operators differ from those of the database. */
export function shapeProblem(rule: unknown): string | null {
  if (rule === null || rule === undefined) return null
  if (!isObject(rule)) return '"validation" has to be an object of rules'
  return groupProblem(rule) ?? withoutOperator(rule) ?? sizeProblem(rule) ?? patternProblem(rule)
}

function withoutOperator(rule: unknown): string | null {
  const problem = operatorProblem(rule)
  return problem === null ? null : `"validation" cannot be used: ${problem}`
}

/** A validation runs for every row that is written. */
const MOST_CONDITIONS = 1000

const sizeProblem = (rule: unknown): string | null =>
  conditionsIn(rule) > MOST_CONDITIONS ? `"validation" has more than ${MOST_CONDITIONS} conditions` : null

function conditionsIn(rule: unknown): number {
  if (Array.isArray(rule)) return rule.reduce<number>((sum, part) => sum + conditionsIn(part), 0)
  if (!isObject(rule)) return 1
  return Object.values(rule).reduce<number>(
    (sum, inner) => sum + (isObject(inner) || Array.isArray(inner) ? conditionsIn(inner) : 1),
    0,
  )
}

/** Checks every pattern in a rule. Variables are skipped, because their values are not known yet. */
export function patternProblem(rule: unknown): string | null {
  if (Array.isArray(rule)) return firstOf(rule.map(patternProblem))
  if (!isObject(rule)) return null
  return firstOf(
    Object.entries(rule).map(([key, inner]) =>
      key === '_regex' && typeof inner === 'string' && !inner.startsWith('$')
        ? unreadable(inner)
        : patternProblem(inner),
    ),
  )
}

/** Checks that every field in a rule has an operator. */
export function operatorProblem(rule: unknown): string | null {
  if (!isObject(rule)) return null
  return firstOf(
    Object.entries(rule).map(([key, inner]) =>
      Array.isArray(inner)
        ? firstOf(inner.map(operatorProblem))
        : hasNoOperator(inner)
          ? `"${key}" has no operator`
          : null,
    ),
  )
}

const firstOf = (problems: readonly (string | null)[]): string | null =>
  problems.find((problem) => problem !== null) ?? null

function unreadable(pattern: string): string | null {
  try {
    patternOf(pattern)
    return null
  } catch (error) {
    if (error instanceof PatternError) return `"_regex" cannot use the pattern: ${error.message}`
    throw error
  }
}

function groupProblem(rule: Readonly<Record<string, unknown>>): string | null {
  for (const [key, inner] of Object.entries(rule)) {
    const problem = partProblem(key, inner)
    if (problem !== null) return problem
  }
  return null
}

function partProblem(key: string, inner: unknown): string | null {
  if (key === '_and' || key === '_or') {
    if (!Array.isArray(inner)) return `"${key}" in "validation" has to be a list of rules`
    const problems = inner.map((part) =>
      isObject(part) ? groupProblem(part) : '"validation" has to be an object of rules',
    )
    return problems.find((problem) => problem !== null) ?? null
  }
  if (Array.isArray(inner)) return `There is no group "${key}" for "validation"; there are "_and" and "_or"`
  const unknown = isObject(inner) ? Object.keys(inner).find((name) => !isRuleOperator(name)) : undefined
  return unknown === undefined ? null : `There is no operator "${unknown}" for "validation"`
}

/** Names in a permission that do not exist. They may be created later, so they are allowed and grant nothing yet. */
export function absentNames({ collection: name, fields }: Permission, schema: Schema): string[] {
  const collection = schema.collections.get(name)
  if (collection === undefined) return [name]
  if (fields === 'all') return []
  return [...fields].filter((field) => findField(collection, field) === undefined).map((field) => `${name}.${field}`)
}
