import type { ProcedureRow } from './row.ts'

/** Procedures that write items at addresses of their own. */
export const itemProcedures = {
  sortItems: {
    callers: 'users',
    dryRun: 'rollback',
    response: 'done',
    input: { collection: 'path', item: 'body', to: 'body' },
    rest: [['POST', '/utils/sort/:collection']],
    graphql: { operation: 'mutation', name: 'utils_sort', keys: ['item', 'to'] },
  },
  revertItem: {
    callers: 'users',
    dryRun: 'rollback',
    response: 'nothing',
    input: { revision: 'path' },
    rest: [['POST', '/utils/revert/:revision']],
    graphql: { operation: 'mutation', name: 'utils_revert', keys: ['revision'] },
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type ItemProcedureName = keyof typeof itemProcedures
