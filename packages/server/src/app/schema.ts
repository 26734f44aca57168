import { typeNaming } from '../graphql/schema/schemas.ts'
import type { SchemaChanger } from '../schema/change.ts'
import { createSchemaCache, type SchemaCache } from '../schema/schema-cache.ts'
import { createSchemaChanger } from '../schema/schema-changer.ts'
import { systemCollections } from '../system/collections/index.ts'
import { pruneReferences } from '../system/prune-references.ts'
import { createSnapshots, type Snapshots } from '../system/snapshot/snapshots.ts'
import { version } from '../version.ts'
import type { AppContext } from './context.ts'

/** The schema in memory, and the changes to it. */
export interface SchemaParts {
  readonly schemaCache: SchemaCache
  readonly changes: SchemaChanger
  readonly snapshots: Snapshots
}

export function createSchemaParts(context: AppContext): SchemaParts {
  const { database, systemSchema, observe, failpoints, onlyLooks, versionNews } = context
  const { schemas, isReadOnly, pollInterval } = context.config
  const schemaCache = createSchemaCache(database, {
    systemSchema,
    schemas,
    isReadOnly,
    pollInterval,
    observe,
    systemCollections,
    nameTypes: typeNaming(),
    storesNames: !onlyLooks,
    onRead: ({ version: read }) => versionNews.tell('schema', read),
  })
  const changes = createSchemaChanger(database, schemaCache, {
    systemSchema,
    declared: systemCollections,
    failpoints,
    observe,
    pruneReferences,
  })
  const snapshots = createSnapshots({ changes, version, vendor: database.vendor, isReadOnly })
  return { schemaCache, changes, snapshots }
}
