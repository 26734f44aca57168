import { useQuery } from '@tanstack/react-query'
import { readItems } from '../../api/items.ts'
import { Value } from '../../displays/value.tsx'
import type { Collection } from '../../model/collection.ts'
import type { Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { fillTemplate, templatePaths } from '../../model/template.ts'
import type { SmallColumn } from './columns.ts'
import { keyPaths } from '../../model/key.ts'

/** The value of a small table's cell. */
export function SmallCell({ column: { field, target }, row }: { readonly column: SmallColumn; readonly row: Row }) {
  const value = row[field.field]
  if (value === null || value === undefined) return <code data-null>{value === null ? 'NULL' : ''}</code>
  if (target === null) return typeof value === 'object' ? plainText(value) : <Value value={value} field={field} />
  if (typeof value !== 'object')
    return <RelatedName target={target} column={field.schema?.foreign_key_column ?? 'id'} value={plainText(value)} />
  return <bdi>{fillTemplate(target.display_template ?? '', value as Row) || plainText(Object.values(value)[0])}</bdi>
}

/** What a row is called that a staged row refers to: only its key is known yet. */
function RelatedName({
  target,
  column,
  value,
}: {
  readonly target: Collection
  readonly column: string
  readonly value: string
}) {
  const template = target.display_template ?? ''
  const { data } = useQuery({
    queryKey: ['items', target.collection, 'name', column, value],
    queryFn: async ({ signal }) =>
      (
        await readItems(
          target,
          { fields: [...keyPaths(target), ...templatePaths(template)], filter: { [column]: { _eq: value } }, limit: 1 },
          signal,
        )
      ).data[0] ?? null,
  })
  return <bdi>{(data === null || data === undefined ? '' : fillTemplate(template, data)) || value}</bdi>
}
