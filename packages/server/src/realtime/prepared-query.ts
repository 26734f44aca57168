import { invalidQuery } from '@tain/contract'
import { queryKeyOf } from '../query/keyed-query.ts'
import { parseQuery, type ParsedQuery, type QueryLimits } from '../query/parse-query.ts'

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A query as messages and addresses have it, parsed. */
export function preparedQuery(
  wire: Readonly<Record<string, unknown>>,
  limits: QueryLimits,
): ParsedQuery & { readonly queryKey: string } {
  const parsed = parseQuery(wire, limits)
  if (parsed.export !== null) throw invalidQuery('"export" is for requests over HTTP')
  return { ...parsed, queryKey: queryKeyOf(parsed.query) }
}
