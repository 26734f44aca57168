import { Type } from 'typebox'
import type { SnapshotProcedureName } from '../procedures/snapshots.ts'
import type { SchemaDiff, SnapshotDocument } from '../snapshot.ts'
import { json, nothing, object, optional } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const names = Type.Array(Type.String())
const flag = optional(Type.Boolean())
/** One of them at most is not empty. */
const scope = { includeCollections: names, excludeCollections: names }

/** Parameters are checked in the order in which they stand here. */
export const snapshotSchemas = {
  readSnapshot: {
    input: object({ export: optional(Type.Enum(['json', 'yaml'])), include: names, ...scope }),
    output: Type.Unsafe<SnapshotDocument>(json),
  },
  /** Returns nothing if there is no difference. */
  diffSnapshot: {
    input: object({ mode: optional(Type.Enum(['merge', 'mirror'])), force: flag, ...scope }),
    output: Type.Unsafe<SchemaDiff | undefined>(json),
  },
  applyDiff: { input: object({ force: flag, allow_data_loss: flag }), output: nothing },
} as const satisfies Readonly<Record<SnapshotProcedureName, ProcedureSchema>>
