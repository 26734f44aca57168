import { authProcedures } from './authentication.ts'
import { fileProcedures } from './files.ts'
import { itemProcedures } from './items.ts'
import type { ProcedureRow } from './row.ts'
import { schemaProcedures } from './schema.ts'
import { serviceProcedures } from './service.ts'
import { snapshotProcedures } from './snapshots.ts'
import { specificationProcedures } from './specifications.ts'
import { webhookProcedures } from './webhooks.ts'

export { authProcedures, type AuthProcedureName } from './authentication.ts'
export { assetParameters, type AssetParameter, type FileProcedureName } from './files.ts'
export type { ItemProcedureName } from './items.ts'
export * from './routes.ts'
export type * from './row.ts'
export type { SchemaProcedureName } from './schema.ts'
export type { ServiceProcedureName } from './service.ts'
export type { SnapshotProcedureName } from './snapshots.ts'
export type { SpecificationProcedureName } from './specifications.ts'
export type { WebhookProcedureName } from './webhooks.ts'

/** All procedures: everything that the service does besides reading and writing items. Plain data, no schemas. */
export const procedures = {
  ...specificationProcedures,
  ...itemProcedures,
  ...fileProcedures,
  ...webhookProcedures,
  ...authProcedures,
  ...serviceProcedures,
  ...schemaProcedures,
  ...snapshotProcedures,
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type Procedures = typeof procedures
export type ProcedureName = keyof Procedures
