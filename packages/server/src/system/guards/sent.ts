import { ServiceError } from '@tain/contract'
import type { WriteNode } from '../../query/bound-write.ts'

/**
 * The value sent for a column; undefined if none was sent, or if the value is the key of another row in the same write.
 */
export function sent({ values }: WriteNode, name: string): unknown {
  const value = values.get(name)
  return value?.kind === 'given' ? (JSON.parse(value.json) as unknown) : undefined
}

export const replace = ({ values }: WriteNode, name: string, value: unknown): void => {
  values.set(name, { kind: 'given', json: JSON.stringify(value) })
}

/** A row that may not exist yet. */
export const isNew = ({ action }: WriteNode): boolean => action === 'create' || action === 'save'

export const keyOf = ({ key }: WriteNode): string | null => key?.[0] ?? null

/** The error never contains the value: it may be a secret. */
export const failed = (node: WriteNode, field: string, type: string, details: Readonly<Record<string, unknown>> = {}) =>
  new ServiceError('FAILED_VALIDATION', `Validation failed for field "${field}".`, {
    field,
    path: [...node.path],
    type,
    ...details,
  })
