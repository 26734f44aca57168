import { invalidPayload, ServiceError } from '@tain/contract'
import { isRuleOperator } from '../../access/evaluate.ts'
import { actions } from '../../access/rights.ts'
import type { Guard } from '../../engine/write/guards.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { heldValues } from '../../query/values.ts'
import { replace, sent } from './sent.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: 100_000 }

/** A collection or field need not be there yet; what can never be understood is refused. */
export const permissionGuard: Guard = {
  rights: 'all',

  async before(nodes) {
    for (const node of nodes) {
      checkAction(node)
      checkFields(node)
      checkRule(node)
      checkValidation(sent(node, 'validation') ?? {})
      checkPresets(node)
    }
  },
}

function checkAction(node: WriteNode): void {
  const action = sent(node, 'action')
  if (action !== undefined && !actions.some((each) => each === action))
    throw invalidPayload(`"action" has to be one of ${actions.join(', ')}`)
  if (sent(node, 'collection') === '') throw invalidPayload('"collection" has to be the name of a collection')
}

function checkFields(node: WriteNode): void {
  const value = sent(node, 'fields')
  if (value === undefined || value === null) return
  const fields = typeof value === 'string' ? value.split(',').filter((name) => name !== '') : value
  if (!Array.isArray(fields) || !fields.every((name) => typeof name === 'string'))
    throw invalidPayload('"fields" has to be a list of names; "*" stands for all')
  replace(node, 'fields', fields)
}

const checkRule = (node: WriteNode): void => checkFilter(sent(node, 'permissions'))

export function checkFilter(rule: unknown): void {
  if (rule === undefined || rule === null) return
  try {
    parseFilter(rule, heldValues, LIMITS)
  } catch (error) {
    throw error instanceof ServiceError ? invalidPayload(`"permissions" is no filter: ${error.message}`) : error
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values are looked at before they are stored, so there are other operators than the database has. */
export function checkValidation(rule: unknown): void {
  if (!isObject(rule)) throw invalidPayload('"validation" has to be an object of rules')
  for (const [key, inner] of Object.entries(rule)) {
    if (key === '_and' || key === '_or') {
      if (!Array.isArray(inner)) throw invalidPayload(`"${key}" in "validation" has to be a list of rules`)
      for (const part of inner) checkValidation(part)
    } else if (isObject(inner)) {
      const unknown = Object.keys(inner).find((name) => !isRuleOperator(name))
      if (unknown !== undefined) throw invalidPayload(`There is no operator "${unknown}" for "validation"`)
    }
  }
}

function checkPresets(node: WriteNode): void {
  const presets = sent(node, 'presets')
  if (presets === undefined || presets === null) return
  if (typeof presets !== 'object' || Array.isArray(presets))
    throw invalidPayload('"presets" has to be an object of fields and their values')
}
