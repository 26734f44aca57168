import { Type } from 'typebox'
import type { ItemProcedureName } from '../procedures/items.ts'
import { anything, nothing, object } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

export const itemSchemas = {
  /** `item` takes the place of `to`: both are keys. */
  sortItems: { input: Type.Object({ collection: Type.String(), item: anything, to: anything }), output: nothing },
  revertItem: { input: object({ revision: Type.String() }), output: nothing },
} as const satisfies Readonly<Record<ItemProcedureName, ProcedureSchema>>
