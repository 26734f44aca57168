import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { readItems } from '../api/items.ts'
import type { Place } from '../app/commands.ts'
import { collectionLabel, type Collection } from '../model/collection.ts'
import { itemRoute, keyFilter, keyText } from '../model/key.ts'
import { fillTemplate, templatePaths } from '../model/template.ts'
import type { EntryGroup } from './entries.ts'

interface Found {
  readonly groups: readonly EntryGroup[]
  readonly message: string | null
}

const none = (message: string | null): Found => ({ groups: [], message })

/** The item of the open collection that has a key; null: nobody asks. A key of several parts is typed with commas. */
export function useItemByKey({ collection, go }: Place, typed: string | null): Found {
  const text = useDeferredValue(typed) ?? ''
  const parts = text.split(',').map((part) => part.trim())
  const key = parts.map(encodeURIComponent).join(',')
  const isComplete = collection !== null && parts.length === collection.key.length && parts.every((part) => part !== '')
  const { data, isError, isPending } = useQuery({
    queryKey: ['items', collection?.collection ?? '', 'by key', key],
    enabled: typed !== null && isComplete,
    retry: false,
    queryFn: async ({ signal }) => (collection === null ? null : await titleOf(collection, key, signal)),
  })
  if (typed === null) return none(null)
  if (collection === null) return none('Open a collection first, then # finds one of its items by its key.')
  if (collection.key.length === 0) return none('Rows of this collection have no key.')
  if (!isComplete)
    return none(
      collection.key.length === 1
        ? `Type the ${collection.key.join('')} of an item of ${collectionLabel(collection)}.`
        : `Type ${collection.key.join(', ')} of an item of ${collectionLabel(collection)}, with commas between.`,
    )
  if (isPending) return none('Looking…')
  if (isError || data === null) return none(`There is no item ${keyText(key)} in ${collectionLabel(collection)}.`)
  return {
    message: null,
    groups: [
      {
        title: collectionLabel(collection),
        entries: [
          {
            id: `item ${key}`,
            label: `${collectionLabel(collection)} ${keyText(key)}`,
            ...(data === '' ? {} : { hint: data }),
            icon: 'hash',
            run: () => go(itemRoute(collection.collection, key)),
          },
        ],
      },
    ],
  }
}

/** The item in words; null: there is none. */
async function titleOf(collection: Collection, key: string, signal: AbortSignal): Promise<string | null> {
  const template = collection.display_template ?? ''
  const fields = [...new Set([...collection.key, ...templatePaths(template)])]
  const { data } = await readItems(collection, { fields, filter: keyFilter(collection, key), limit: 1 }, signal)
  const [row] = data
  return row === undefined ? null : fillTemplate(template, row)
}
