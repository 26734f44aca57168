import { ServiceError } from '@tain/contract'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Payload } from '../../query/mutation.ts'
import type { WriteContext } from '../../query/write-context.ts'

/** Binds the rows of a list. Errors in one of several rows tell its position, from 0. */
export function bindRows(
  items: readonly Payload[],
  { tree }: WriteContext,
  bind: (item: Payload, index: number) => WriteNode,
): WriteNode[] {
  if (items.length < 2) return items.map(bind)
  return items.map((item, index) => {
    tree.row = index
    try {
      return bind(item, index)
    } catch (error) {
      throw inRow(error, index)
    } finally {
      tree.row = null
    }
  })
}

export const inRow = (error: unknown, row: number): unknown =>
  error instanceof ServiceError
    ? new ServiceError(error.code, error.message, { ...error.details, row }, { cause: error })
    : error
