import type { Filter } from './ast.ts'

/** Whether the filter has no condition, so that every row matches. */
export function isUnconditional(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.items.every(isUnconditional)
  return filter.kind === 'or' && filter.items.some(isUnconditional)
}

/** Whether every field has an operator and every relation a condition. The service refuses other filters. */
export function isComplete(filter: Filter): boolean {
  switch (filter.kind) {
    case 'bare':
      return false
    case 'and':
    case 'or':
      return filter.items.every(isComplete)
    case 'one':
    case 'any':
      return !isUnconditional(filter.filter) && isComplete(filter.filter)
    case 'some':
      return !(filter.flat && isUnconditional(filter.filter)) && isComplete(filter.filter)
    case 'none':
      return isComplete(filter.filter)
    case 'test':
    case 'exists':
    case 'member':
    case 'constant':
      return true
  }
  throw new Error('no such filter')
}
