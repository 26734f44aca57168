import type { ProcedureRow } from './row.ts'

/** Procedures that describe the interface of the service itself. */
export const specificationProcedures = {
  readOpenApi: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'json text',
    isStrict: true,
    input: { openapi: 'query' },
    rest: [['GET', '/server/specs/oas']],
    graphql: null,
  },
  /** What agents and generators of types need to know of the schema. */
  readDescription: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'json text',
    isStrict: true,
    input: {},
    rest: [['GET', '/server/specs/schema']],
    graphql: null,
  },
  readSdl: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'file',
    input: { scope: 'address' },
    rest: [
      ['GET', '/server/specs/graphql', { scope: 'items' }],
      ['GET', '/server/specs/graphql/system', { scope: 'system' }],
    ],
    // The text is long and always the same.
    graphql: { operation: 'query', name: 'server_specs_graphql', isOnce: true },
  },
  /** The same for items, to be shown instead of saved. */
  showSdl: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'long text',
    input: {},
    rest: [['GET', '/server/specs/graphql/item']],
    graphql: null,
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type SpecificationProcedureName = keyof typeof specificationProcedures
