import { useId, useState } from 'react'
import type { DraftStore } from '../../form/draft-store.ts'
import type { Collection } from '../../model/collection.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ApiTwin } from './api-twin.tsx'
import { BackRelations } from './back-relations.tsx'
import { Comments } from './comments.tsx'
import { History } from './history.tsx'
import type { useItem } from './use-item.ts'
import styles from './item.module.css'

interface SidePanelProps {
  readonly collection: Collection
  readonly item: NonNullable<ReturnType<typeof useItem>['item']>
  readonly store: DraftStore
  readonly etag: string | null
  readonly onReload: () => void
  readonly isInDrawer?: boolean
}

const tabs = [
  { id: 'history', label: 'History' },
  { id: 'comments', label: 'Comments' },
  { id: 'relations', label: 'Relations' },
  { id: 'api', label: 'API' },
] as const

type TabName = (typeof tabs)[number]['id']

/** What is known about a row besides its values. */
export function SidePanel({ collection, item, store, etag, onReload, isInDrawer = false }: SidePanelProps) {
  const [chosen, choose] = useState<TabName>('history')
  const id = useId()
  const { key } = item.read
  if (key === null)
    return <p className={styles['later']}>History, comments and relations begin when the item is saved.</p>
  return (
    <>
      <Tabs label="About this item" tabs={tabs} chosen={chosen} onChoose={choose} controls={id} />
      <div
        id={id}
        role="tabpanel"
        aria-label={tabs.find((each) => each.id === chosen)?.label ?? ''}
        className={styles['panel']}
      >
        {chosen === 'history' ? (
          <>
            <History
              collection={collection}
              itemKey={key}
              fields={item.plainFields}
              row={item.read.row}
              store={store}
              rights={item.rights}
              onReload={onReload}
            />
            {isInDrawer ? null : <ApiTwin collection={collection} itemKey={key} etag={etag} />}
          </>
        ) : null}
        {chosen === 'comments' ? <Comments collection={collection} itemKey={key} /> : null}
        {chosen === 'relations' ? (
          <BackRelations collection={collection} itemKey={key} row={item.read.row} relations={item.relations} />
        ) : null}
        {chosen === 'api' ? <ApiTwin collection={collection} itemKey={key} etag={etag} isFull /> : null}
        {isInDrawer ? null : (
          <p className={styles['keys']}>
            <Kbd keys="J K" /> next, previous · <Kbd keys="⌘ S" /> save
          </p>
        )}
      </div>
    </>
  )
}
