import { collections } from '@tain/contract/collections'
import type { SystemCollection } from '../../schema/system-collection.ts'

export const systemCollections: readonly SystemCollection[] = Object.values(collections)
