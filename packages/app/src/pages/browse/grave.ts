import type { SourceQuery } from '../../grid/source.ts'

/** More rows than this, or all rows of a collection, are changed only after its name was typed. */
const MANY = 1000

export const isGrave = (
  count: number,
  isAll: boolean,
  { filter, search }: Pick<SourceQuery, 'filter' | 'search'>,
): boolean => count > MANY || (isAll && (filter === null || filter === undefined) && search === '')
