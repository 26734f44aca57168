import type { Statement } from '../../driver.ts'

/** The database counts its changes of structure itself. Own tables change it too, which costs a reading and no more. */
export const fingerprintStatement = (): Statement => ({
  text: 'select schema_version from pragma_schema_version',
  values: [],
  name: 'mirror-fingerprint',
})
