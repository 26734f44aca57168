import type { ProcedureRow } from './row.ts'

const rows = { callers: 'administrators', isStrict: true, graphql: null } as const
const scope = { includeCollections: 'query list', excludeCollections: 'query list' } as const

/** Procedures on the schema as a file. For administrators only: a snapshot reveals everything. */
export const snapshotProcedures = {
  readSnapshot: {
    ...rows,
    dryRun: 'harmless',
    response: 'data or file',
    input: { export: 'query', include: 'query list', ...scope },
    rest: [['GET', '/schema/snapshot']],
  },
  diffSnapshot: {
    ...rows,
    dryRun: 'harmless',
    response: 'data',
    hasDocument: true,
    input: { mode: 'query', force: 'query', ...scope },
    rest: [['POST', '/schema/diff']],
  },
  applyDiff: {
    ...rows,
    dryRun: 'plan',
    response: 'data',
    hasDocument: true,
    input: { force: 'query', allow_data_loss: 'query' },
    rest: [['POST', '/schema/apply']],
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type SnapshotProcedureName = keyof typeof snapshotProcedures
