import { Type } from 'typebox'
import { DESCRIPTION_VERSION } from '../description.ts'
import { fieldTypes, type FieldType } from '../field-types.ts'
import type { SpecificationProcedureName } from '../procedures/specifications.ts'
import { json, object, optional, text } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

/** Items by default. */
const scope = optional(Type.Enum(['items', 'system'], { title: 'graphql_sdl_scope' }))

const names = Type.Array(Type.String())
const yes = Type.Optional(Type.Literal(true))
const note = Type.Optional(Type.String())

const relation = object({
  kind: Type.Enum(['one', 'many', 'any']),
  to: names,
  collection: Type.Optional(Type.String()),
})

const field = object({
  name: Type.String(),
  type: Type.Enum(Object.keys(fieldTypes) as FieldType[]),
  note,
  values: Type.Optional(names),
  numbers: yes,
  relation: Type.Optional(relation),
  inferred: yes,
  read: Type.Optional(Type.Enum(['value', 'nullable'])),
  create: Type.Optional(Type.Enum(['required', 'optional'])),
  update: yes,
  clearable: yes,
})

/** `SchemaDescription` of `../description.ts`. */
const description = object({
  version: Type.Literal(DESCRIPTION_VERSION),
  collections: Type.Array(
    object({
      name: Type.String(),
      type: Type.String(),
      path: Type.String(),
      note,
      key: names,
      singleton: yes,
      may: Type.Array(Type.Enum(['read', 'create', 'update', 'delete'])),
      fields: Type.Array(field),
    }),
  ),
})

export const specificationSchemas = {
  readOpenApi: { input: object({ openapi: optional(text) }), output: json },
  readDescription: { input: object({}), output: description },
  readSdl: { input: object({ scope }), output: Type.String() },
  showSdl: { input: object({}), output: Type.String() },
} as const satisfies Readonly<Record<SpecificationProcedureName, ProcedureSchema>>
