import { collectionPath } from '../model/key.ts'
import type { Collection } from '../model/collection.ts'
import type { Column } from './permission.ts'
import type { ExplainRequest } from './preview.ts'

export interface Question {
  readonly collection: string
  readonly action: Column
  /** As it is typed; empty: the list. */
  readonly key: string
  /** The values of a write, as JSON. */
  readonly body: string
}

const methods: Readonly<Record<Column, string>> = { create: 'POST', read: 'GET', update: 'PATCH', delete: 'DELETE' }

/** The request that a question stands for. Keys of several columns are typed with commas. */
export function explainRequest(
  user: string | null,
  { collection, action, key, body }: Question,
  found: Pick<Collection, 'collection' | 'system'> | undefined,
): ExplainRequest {
  const path = collectionPath(found ?? { collection })
  const needsKey = action === 'update' || action === 'delete'
  const typed = action === 'create' ? '' : key.trim()
  if (needsKey && typed === '') throw new Error('Enter the key of the row that it is about.')
  const parts = typed.split(',').map((part) => encodeURIComponent(part.trim()))
  return {
    user,
    method: methods[action],
    path: typed === '' ? path : `${path}/${parts.join(',')}`,
    ...(action === 'create' || action === 'update' ? { body: parsed(body) } : {}),
  }
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The values are not JSON. Write them as {"field": "value"}.')
  }
}
