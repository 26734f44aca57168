import { Type } from 'typebox'
import type { SpecificationProcedureName } from '../procedures/specifications.ts'
import { json, object, optional, text } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

/** Items by default. */
const scope = optional(Type.Enum(['items', 'system'], { title: 'graphql_sdl_scope' }))

export const specificationSchemas = {
  readOpenApi: { input: object({ openapi: optional(text) }), output: json },
  readSdl: { input: object({ scope }), output: Type.String() },
  showSdl: { input: object({}), output: Type.String() },
} as const satisfies Readonly<Record<SpecificationProcedureName, ProcedureSchema>>
