import { Failure } from '../../app/faces.tsx'
import type { PageProps } from '../../app/routes.ts'
import { useCollection } from '../../app/use-start.ts'
import type { Collection } from '../../model/collection.ts'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { ItemForm } from './item-form.tsx'
import { useItem } from './use-item.ts'
import styles from './item.module.css'

/**
 * One row. The key is read from the address as it stands there: its parts are percent-encoded one by one, and the
 * router decodes the whole.
 */
export function ItemPage({ params }: { readonly params: PageProps }) {
  const collection = useCollection(params['collection'] ?? '')
  const key = location.pathname.split('/').at(-1) ?? '+'
  if (collection === undefined)
    return (
      <Empty icon="search" title="There is no such collection">
        It may have been renamed, or you may not read it.
      </Empty>
    )
  return <Item key={`${collection.collection}/${key}`} collection={collection} itemKey={key} />
}

function Item({ collection, itemKey }: { readonly collection: Collection; readonly itemKey: string }) {
  const { item, error, reload } = useItem(collection, itemKey)
  if (item === null)
    return error === null ? (
      <div className={styles['loading']} aria-busy="true">
        <Skeleton lines={8} />
      </div>
    ) : (
      <Failure error={error} onRetry={reload} />
    )
  return <ItemForm key={item.read.key ?? '+'} collection={collection} address={itemKey} item={item} onReload={reload} />
}
