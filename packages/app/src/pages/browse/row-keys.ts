import type { Filter } from '../../filter/tree.ts'
import type { Collection } from '../../model/collection.ts'
import { keyFilter, keyParts, type Row } from '../../model/key.ts'

/** Rows of one request. */
const BATCH = 100

/** The filter that finds rows by their keys. */
export function keysFilter(collection: Pick<Collection, 'key'>, keys: readonly string[]): Filter {
  const [name] = collection.key
  if (collection.key.length === 1 && name !== undefined)
    return { [name]: { _in: keys.flatMap((key) => keyParts(key)) } }
  return { _or: keys.map((key) => keyFilter(collection, key)) }
}

/** The parts of a row that name it. */
export const keyRow = ({ key: names }: Pick<Collection, 'key'>, key: string): Row => {
  const parts = keyParts(key)
  return Object.fromEntries(names.map((name, index) => [name, parts[index]]))
}

export const batches = <T>(all: readonly T[], size = BATCH): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
