import { nearest } from '../lib/nearest.ts'
import type { Collection } from '../schema/schema.ts'
import type { RegisteredExtension } from './registered.ts'

/** A hook that no change reaches. */
export interface IdleHook {
  readonly extension: string
  readonly hook: string
  readonly reason: string
}

type Collections = ReadonlyMap<string, Pick<Collection, 'isSystem'>>

/** Hooks of names that are no collection, and filters of the service's own collections. */
export const idleHooks = (extensions: readonly RegisteredExtension[], collections: Collections): readonly IdleHook[] =>
  extensions.flatMap(({ name: extension, filters, actions }) =>
    [
      ...filters.map(({ collection }) => ({ kind: 'filter', collection })),
      ...actions.map(({ collection }) => ({ kind: 'action', collection })),
    ].flatMap(({ kind, collection }) => {
      const reason = reasonOf(kind === 'filter', collection, collections)
      return reason === null ? [] : [{ extension, hook: `${kind} ${collection}`, reason }]
    }),
  )

/** null: changes reach the hook. */
function reasonOf(isFilter: boolean, name: string, collections: Collections): string | null {
  const found = collections.get(name)
  if (found !== undefined)
    return isFilter && found.isSystem ? 'the collections of the service itself cannot be filtered' : null
  const hint = nearest(name, collections.keys())
  return `there is no collection "${name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`
}
