import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { readItem } from '../../api/items.ts'
import { useStart } from '../../app/use-start.ts'
import { Failure } from '../../app/faces.tsx'
import { collectionLabel, may, type Collection } from '../../model/collection.ts'
import { titleOf } from '../../model/field.ts'
import { filteredListRoute } from '../../model/filtered-list.ts'
import type { Row } from '../../model/key.ts'
import { relationsTo, type Relation } from '../../model/relation.ts'
import { plainText } from '../../model/plain-text.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './panel.module.css'
import { pathOf } from '../../model/path.ts'

interface BackRelationsProps {
  readonly collection: Collection
  readonly itemKey: string
  readonly row: Row
  readonly relations: readonly Relation[]
}

/** Everything that refers to the row, with how many rows there are and the way to them. */
export function BackRelations({ collection, itemKey, row, relations }: BackRelationsProps) {
  const { collections } = useStart()
  const to = relationsTo(collection.collection, relations).flatMap((relation) => {
    const from = collections.find((each) => each.collection === relation.collection)
    const list = relation.meta?.one_field ?? null
    const isJunctionTwice = (relation.meta?.junction_field ?? null) !== null
    return from === undefined || !may(from, 'read') || list === null || isJunctionTwice
      ? []
      : [{ relation, from, list }]
  })
  const counts = useQuery({
    queryKey: ['items', collection.collection, 'counts', itemKey],
    enabled: to.length > 0,
    queryFn: async ({ signal }) =>
      (await readItem(collection, itemKey, { fields: to.map(({ list }) => `count(${pathOf(list)})`) }, signal)).data,
  })
  if (to.length === 0) return <p className={styles['none']}>No other collection refers to this one.</p>
  if (counts.error !== null) return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  const [name] = collection.key
  const value = name === undefined ? itemKey : row[name]
  return (
    <ul className={styles['relations']}>
      {to.map(({ relation, from, list }) => (
        <li key={`${relation.collection}.${relation.field}`}>
          <Link href={filteredListRoute(from.collection, { [relation.field]: { _eq: value } })}>
            <Icon name="table-2" size={15} />
            <span>
              {collectionLabel(from)}
              <small>by {titleOf(relation.field).toLowerCase()}</small>
            </span>
            <em>{counts.data === undefined ? '…' : plainText(counts.data[`${list}_count`] ?? 0)}</em>
          </Link>
        </li>
      ))}
    </ul>
  )
}
