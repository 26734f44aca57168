import { invalidPayload, isOperator } from '@tain/contract'
import type { Catalogue } from '../schema/change.ts'

/**
 * Letters of any script, digits, underscores; inside also blanks and hyphens. Characters with a meaning in paths are
 * excluded.
 */
const allowed = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ -]*[\p{L}\p{M}\p{N}_])?$/u

const words = new Set(['_and', '_or', '_some', '_none'])

function checkName(name: unknown, what: string, { nameLength }: Catalogue): asserts name is string {
  if (typeof name !== 'string' || name === '') throw invalidPayload(`"${what}" is required`)
  if (!allowed.test(name))
    throw invalidPayload(
      `"${what}" has to be made of letters, digits and underscores, with blanks or hyphens only inside`,
    )
  if (Buffer.byteLength(name) > nameLength) throw invalidPayload(`"${what}" can have at most ${nameLength} bytes`)
}

export function checkFieldName(name: unknown, catalogue: Catalogue): asserts name is string {
  checkName(name, 'field', catalogue)
  if (catalogue.reservedColumns.has(name)) throw invalidPayload(`The database keeps the name "${name}" for itself`)
  if (words.has(name) || isOperator(name)) throw invalidPayload(`"${name}" is a word of filters and cannot be a field`)
}

export function checkCollectionName(name: unknown, catalogue: Catalogue): asserts name is string {
  checkName(name, 'collection', catalogue)
  if (/^service_/iu.test(name)) throw invalidPayload('Collections cannot start with "service_"')
}
