import { useRef } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/api-error.ts'
import { Failure } from '../../app/faces.tsx'
import type { PageProps } from '../../app/routes.ts'
import { useCollection } from '../../app/use-start.ts'
import { collectionLabel, type Collection } from '../../model/collection.ts'
import { titleOf } from '../../model/field.ts'
import { browseRoute, keyText } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton, Waiting } from '../../ui/feedback.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ItemPath } from './item-path.tsx'
import { ItemForm } from './item-form.tsx'
import { useItem } from './use-item.ts'
import styles from './item.module.css'

/**
 * One row. The key is read from the address as it stands there: its parts are percent-encoded one by one, and the
 * router decodes the whole.
 */
export function ItemPage({ params }: { readonly params: PageProps }) {
  const name = params['collection'] ?? ''
  const collection = useCollection(name)
  const key = location.pathname.split('/').at(-1) ?? '+'
  if (collection === undefined)
    return (
      <>
        <PageHead icon="table-2" title={titleOf(name)} />
        <Empty icon="search" title={`There is no collection "${name}"`} isAlert>
          It may have been renamed or deleted, or you may not see it. Choose another one at the side.
        </Empty>
      </>
    )
  return <Item key={`${collection.collection}/${key}`} collection={collection} itemKey={key} />
}

interface ItemProps {
  readonly collection: Collection
  readonly itemKey: string
}

function Item({ collection, itemKey }: ItemProps) {
  const { item, error, reload } = useItem(collection, itemKey)
  const [, go] = useLocation()
  // While it is tried again, the failure stays: a page that flickers says nothing.
  const failure = useRef<unknown>(null)
  if (error !== null) failure.current = error
  if (item !== null) {
    failure.current = null
    return (
      <ItemForm key={item.read.key ?? '+'} collection={collection} address={itemKey} item={item} onReload={reload} />
    )
  }
  const toList = () => go(browseRoute(collection.collection))
  return (
    <div className={styles['page']}>
      <WaitingHead collection={collection} itemKey={itemKey} />
      {failure.current === null ? (
        <div className={styles['loading']} aria-busy="true">
          <Skeleton lines={8} />
          <Waiting onStop={toList}>Reading the item…</Waiting>
        </div>
      ) : isRefusal(failure.current) ? (
        <Empty
          isAlert
          icon="search"
          title="There is no such item for you"
          actions={
            <Button icon="arrow-left" onClick={toList}>
              Back to {collectionLabel(collection)}
            </Button>
          }
        >
          It was deleted, its key is another one, or no policy lets you read it.
        </Empty>
      ) : (
        <Failure error={failure.current} onRetry={reload} />
      )}
    </div>
  )
}

/** The service does not tell a row that is not there from one that may not be read. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404)

/** The head of an item that is not there yet: where one is, and the way back. */
function WaitingHead({ collection, itemKey }: ItemProps) {
  const title = itemKey === '+' ? `New in ${collectionLabel(collection)}` : safeKeyText(itemKey)
  return (
    <header className={styles['head']}>
      <ItemPath collection={collection} title={title} />
    </header>
  )
}

/** The address may hold anything, also what is no percent-encoding. */
function safeKeyText(key: string): string {
  try {
    return keyText(key)
  } catch {
    return key
  }
}
