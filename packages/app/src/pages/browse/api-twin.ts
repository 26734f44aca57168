import { apiPath } from '../../api/address.ts'
import { queryString } from '../../api/client.ts'
import type { SourceQuery } from '../../grid/source.ts'
import { collectionPath } from '../../model/key.ts'

/** The request behind a list, as an address that anybody can send. */
export function listUrl(query: SourceQuery, more: Readonly<Record<string, unknown>> = { limit: 100 }): string {
  const { collection, fields, filter, search, sort } = query
  const params = {
    fields,
    filter: filter ?? undefined,
    search: search === '' ? undefined : search,
    sort: sort.length === 0 ? undefined : sort,
    ...more,
  }
  return `${apiPath(collectionPath(collection))}${queryString(params)}`
}

/** The same request for a shell. */
export function curlOf(query: SourceQuery, origin: string): string {
  const { collection, fields, filter, search, sort } = query
  const path = `${origin}${apiPath(collectionPath(collection))}`
  const params = [
    `fields=${fields.join(',')}`,
    ...(filter === null || filter === undefined ? [] : [`filter=${JSON.stringify(filter)}`]),
    ...(search === '' ? [] : [`search=${search}`]),
    ...(sort.length === 0 ? [] : [`sort=${sort.join(',')}`]),
    'limit=100',
  ]
  return [
    `curl -G ${quoted(path)}`,
    `  -H "Authorization: Bearer $TOKEN"`,
    ...params.map((each) => `  --data-urlencode ${quoted(each)}`),
  ].join(' \\\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
