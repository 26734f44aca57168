import type { Static } from 'typebox'
import type { ProcedureName, Procedures } from '../procedures/index.ts'
import { authSchemas } from './authentication.ts'
import { fileSchemas } from './files.ts'
import { itemSchemas } from './items.ts'
import type { ProcedureSchema } from './procedure-schema.ts'
import { schemaSchemas } from './schema.ts'
import { serviceSchemas } from './service.ts'
import { snapshotSchemas } from './snapshots.ts'
import { specificationSchemas } from './specifications.ts'
import { webhookSchemas } from './webhooks.ts'

export { MOST_PASSWORD_BYTES, type TextFormat } from './parts.ts'
export { previewLimits } from './service.ts'
export type { ProcedureSchema } from './procedure-schema.ts'

const table = {
  ...specificationSchemas,
  ...itemSchemas,
  ...fileSchemas,
  ...webhookSchemas,
  ...authSchemas,
  ...serviceSchemas,
  ...schemaSchemas,
  ...snapshotSchemas,
} as const

type Schemas = typeof table

/** Input and output of every procedure as JSON Schema. */
export const procedureSchemas: Readonly<Record<ProcedureName, ProcedureSchema>> = table

/** An input as clients send it. */
export type Input<N extends ProcedureName> = Static<Schemas[N]['input']>

export type Output<N extends ProcedureName> = Static<Schemas[N]['output']>

/** An input as procedures receive it: members that were not sent are null. */
export type Received<N extends ProcedureName> = Filled<Input<N>>

type Filled<T> = unknown extends T
  ? T
  : T extends readonly unknown[] | string | number | boolean | null
    ? T
    : { readonly [K in keyof T]-?: Filled<Exclude<T[K], undefined>> }

/** Names procedures whose row and schema do not have the same members; there must be none. */
type Differing = {
  [N in ProcedureName]: [keyof Input<N>, keyof Procedures[N]['input']] extends [
    keyof Procedures[N]['input'],
    keyof Input<N>,
  ]
    ? never
    : N
}[ProcedureName]

type Nothing<T extends never> = T

/** Does not compile while there is one. */
export type Tied = Nothing<Differing>
