import { ServiceError } from '@tain/contract'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Schema } from '../schema/schema.ts'

/** The current schema; throws SERVICE_UNAVAILABLE until there is one. */
export function currentSchema(schemaCache: SchemaCache): Schema {
  const schema = schemaCache.current()
  if (schema === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The database has not answered yet.')
  return schema
}
