import type { Statement } from '../../driver.ts'

/** The database counts schema changes itself. The service's own tables count too, which only costs an introspection. */
export const fingerprintStatement = (): Statement => ({
  text: 'select schema_version from pragma_schema_version',
  values: [],
  name: 'mirror-fingerprint',
})
