import { Type } from 'typebox'
import type { SpecificationProcedureName } from '../procedures/specifications.ts'
import { object, optional } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

/** Items by default. */
const scope = optional(Type.Enum(['items', 'system'], { title: 'graphql_sdl_scope' }))

export const specificationSchemas = {
  readSdl: { input: object({ scope }), output: Type.String() },
  showSdl: { input: object({}), output: Type.String() },
} as const satisfies Readonly<Record<SpecificationProcedureName, ProcedureSchema>>
