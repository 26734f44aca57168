import type { ItemQuery } from '../../api/items.ts'
import type { Collection } from '../../model/collection.ts'
import { templatePaths } from '../../model/template.ts'
import { isNested, pathParts } from '../../model/path.ts'

/** How typed text finds rows: the search of the service, or the related fields that the display template names. */
export function searchQuery(
  collection: Pick<Collection, 'display_template'>,
  text: string,
): Pick<ItemQuery, 'search' | 'filter'> {
  const trimmed = text.trim()
  if (trimmed === '') return {}
  const paths = templatePaths(collection.display_template ?? '')
  if (paths.length === 0 || !paths.every(isNested)) return { search: trimmed }
  return { filter: { _or: paths.map((path) => atPath(pathParts(path), { _icontains: trimmed })) } }
}

const atPath = (path: readonly string[], leaf: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf)
