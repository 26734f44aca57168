import { collections } from '@tain/contract/collections'
import type { SystemCollection } from '../../schema/system-collection.ts'
import { hidden } from './hidden.ts'

/** The contract's collections with the columns that only the service uses. */
export const systemCollections: readonly SystemCollection[] = Object.values(collections).map((declared) => ({
  ...declared,
  ...(hidden[declared.name] === undefined ? {} : { hidden: hidden[declared.name] }),
}))
