import { browseRoute } from './key.ts'

/** The address of a list that shows only the rows a filter lets through. */
export const filteredListRoute = (collection: string, filter: unknown): string =>
  `${browseRoute(collection)}?${new URLSearchParams({ filter: JSON.stringify(filter) }).toString()}`
