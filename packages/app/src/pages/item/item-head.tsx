import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useWhyNot } from '../../access/use-writable.ts'
import { readItem } from '../../api/items.ts'
import { rowLabel } from '../../form/row-label.ts'
import { collectionLabel, may, type Collection } from '../../model/collection.ts'
import { keyText } from '../../model/key.ts'
import { templatePaths } from '../../model/template.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Neighbours } from '../../model/neighbours.ts'
import { ItemPath } from './item-path.tsx'
import type { useItem } from './use-item.ts'
import styles from './item.module.css'
import { isNested } from '../../model/path.ts'

interface ItemHeadProps {
  readonly collection: Collection
  readonly item: NonNullable<ReturnType<typeof useItem>['item']>
  readonly count: number
  readonly isBusy: boolean
  readonly whyLocked: string | null
  readonly neighbours: Neighbours
  readonly onOpen: (key: string | null) => void
  readonly onDiscard: () => void
  readonly onReload: () => void
  readonly onSave: () => void
  readonly onSaveAndBack: () => void
  readonly onSaveAndNew: () => void
  readonly onCopy: () => void
  readonly onDelete: () => void
  /** The panel at the side, for screens without room for it. */
  readonly side: ReactNode
}

/** What the row is called: by its display template, else by its key. Related rows in it are read first. */
function useTitle(
  collection: Collection,
  item: ItemHeadProps['item'],
): { readonly title: string; readonly hint: string } {
  const { read, plainFields } = item
  const paths = templatePaths(collection.display_template ?? '').filter(isNested)
  const related = useQuery({
    queryKey: ['items', collection.collection, 'title', read.key, paths],
    enabled: read.key !== null && paths.length > 0,
    queryFn: async ({ signal }) => (await readItem(collection, read.key ?? '', { fields: paths }, signal)).data,
  })
  if (read.key === null)
    return {
      title: collection.singleton === true ? collectionLabel(collection) : `New in ${collectionLabel(collection)}`,
      hint: '',
    }
  const label = rowLabel(collection, plainFields)
  const row = { ...read.row, ...related.data }
  const title = label.title(row)
  const key = keyText(read.key)
  return { title, hint: [label.hint(row), title === key ? '' : `#${key}`].filter((part) => part !== '').join(' · ') }
}

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent)
const saveKeys = isMac ? '⌘ S' : 'Ctrl S'

export function ItemHead(props: ItemHeadProps) {
  const { collection, item, count, isBusy, whyLocked, neighbours, onOpen, onDiscard, onReload } = props
  const { title, hint } = useTitle(collection, item)
  const [isSideOpen, setSideOpen] = useState(false)
  useEffect(() => {
    document.title = `${title} · ${collectionLabel(collection)}`
  }, [title, collection])
  const isNew = item.read.key === null
  return (
    <header className={styles['head']}>
      <ItemPath collection={collection} title={title} />
      {hint === '' ? null : <span className={styles['hint']}>{hint}</span>}
      <div className={styles['tools']}>
        {neighbours.previous === null && neighbours.next === null ? null : (
          <>
            <IconButton
              icon="chevron-up"
              label="Previous item"
              keys="K"
              disabled={neighbours.previous === null}
              onClick={() => onOpen(neighbours.previous)}
            />
            <IconButton
              icon="chevron-down"
              label="Next item"
              keys="J"
              disabled={neighbours.next === null}
              onClick={() => onOpen(neighbours.next)}
            />
          </>
        )}
        {isNew ? null : <IconButton icon="refresh-cw" label="Read again" onClick={onReload} />}
        {isNew ? null : (
          <IconButton
            className={styles['sideToggle'] ?? ''}
            icon="panel-right"
            label="History, comments and relations"
            onClick={() => setSideOpen(true)}
          />
        )}
        <span className={styles['actions']}>
          <Button kind="quiet" icon="undo-2" disabled={count === 0} onClick={onDiscard}>
            Discard
          </Button>
          <Button
            kind="solid"
            isBusy={isBusy}
            disabled={isBusy || whyLocked !== null || (count === 0 && !isNew)}
            title={whyLocked ?? (count === 0 && !isNew ? 'Nothing is changed yet' : saveKeys)}
            onClick={props.onSave}
          >
            {isBusy
              ? isNew
                ? 'Creating…'
                : 'Saving…'
              : isNew
                ? 'Create'
                : count === 0
                  ? 'Save'
                  : count === 1
                    ? 'Save 1 change'
                    : `Save ${count} changes`}
          </Button>
          <MoreMenu {...props} isNew={isNew} />
        </span>
      </div>
      <Dialog isOpen={isSideOpen} kind="drawer" title="About this item" onClose={() => setSideOpen(false)}>
        {props.side}
      </Dialog>
    </header>
  )
}

function MoreMenu({ collection, item, count, whyLocked, isNew, ...on }: ItemHeadProps & { readonly isNew: boolean }) {
  const whyNotSaved = whyLocked ?? (count === 0 && !isNew ? 'Nothing is changed yet.' : null)
  const whyNotCopied = useWhyNot() ?? (may(collection, 'create') ? null : 'You may not create items here.')
  return (
    <Menu
      label="More actions"
      placement="bottom end"
      trigger={(trigger) => <IconButton {...trigger} icon="ellipsis" label="More actions" />}
      entries={[
        { id: 'stay', label: 'Save and stay', icon: 'save', keys: saveKeys, whyNot: whyNotSaved, run: on.onSave },
        { id: 'back', label: 'Save and go back', icon: 'arrow-left', whyNot: whyNotSaved, run: on.onSaveAndBack },
        ...(collection.singleton === true
          ? []
          : [
              {
                id: 'new',
                label: 'Save and create another',
                icon: 'plus',
                whyNot: whyNotSaved ?? whyNotCopied,
                run: on.onSaveAndNew,
              } as const,
              {
                id: 'copy',
                label: 'Copy into a new item',
                icon: 'copy-plus',
                whyNot: isNew ? 'Save it first.' : whyNotCopied,
                run: on.onCopy,
              } as const,
            ]),
        ...(isNew
          ? []
          : [
              {
                id: 'delete',
                label: 'Delete',
                icon: 'trash-2',
                isDanger: true,
                whyNot: item.mayDelete ? null : 'You may not delete this item.',
                run: on.onDelete,
              } as const,
            ]),
      ]}
    />
  )
}
