import type { SystemCollection } from '../../schema/system-collection.ts'
import { activity } from './activity.ts'
import { revisions } from './revisions.ts'

/** The service's own collections. A file and a line here make one more. */
export const systemCollections: readonly SystemCollection[] = [activity, revisions]
