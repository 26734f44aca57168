import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { nameOfUser, useStart } from '../../app/use-start.ts'
import { createDraftStore } from '../../form/draft-store.ts'
import { emptyDraft, isSame } from '../../form/draft.ts'
import { Form } from '../../form/form.tsx'
import { whyRowLocked } from '../../form/locks.ts'
import { findDraft, forgetDrafts, type DraftPlace, type KeptDraft } from '../../form/recovery.ts'
import { useAutosave } from '../../form/use-autosave.ts'
import { useChangeCount } from '../../form/use-draft.ts'
import { useLeaveGuard } from '../../form/use-leave-guard.ts'
import type { Collection } from '../../model/collection.ts'
import { browseRoute, itemRoute } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { ConflictDialog } from './conflict.tsx'
import { copyOver, takeCopy } from './copy-over.ts'
import { DeleteDialog, LeaveDialog } from './dialogs.tsx'
import { ItemHead } from './item-head.tsx'
import { listPlace, neighboursOf } from '../../model/neighbours.ts'
import { SavedErrors } from './saved-errors.tsx'
import { SidePanel } from './side-panel.tsx'
import type { useItem } from './use-item.ts'
import { useKeys } from './use-keys.ts'
import { useSave } from './use-save.ts'
import styles from './item.module.css'

interface ItemFormProps {
  readonly collection: Collection
  /** The key in the address: `+` for a new row. */
  readonly address: string
  readonly item: NonNullable<ReturnType<typeof useItem>['item']>
  readonly onReload: () => void
}

/** A row with its draft: the form, what can be done with it, and what is known about it. */
export function ItemForm({ collection, address, item, onReload }: ItemFormProps) {
  const { read, fields, rights } = item
  const { me } = useStart()
  const [, go] = useLocation()
  const [store] = useState(() =>
    createDraftStore(read.row, read.key === null ? (takeCopy(collection.collection) ?? {}) : {}),
  )
  const [etag, setEtag] = useState(read.etag)
  const place = useMemo<DraftPlace>(
    () => ({
      user: (me as { id?: string } | null)?.id ?? nameOfUser(me),
      collection: collection.collection,
      key: address,
    }),
    [me, collection.collection, address],
  )
  const [kept, setKept] = useState<KeptDraft | null>(() => findDraft(sessionStorage, place))
  const [isDeleting, setDeleting] = useState(false)
  const count = useChangeCount(store)
  const whyLocked = whyRowLocked(rights)
  const save = useSave({ collection, item, store, etag, setEtag, place })
  useAutosave(store, place, etag)
  const question = useLeaveGuard(() => Object.keys(store.draft().patch).length > 0)

  // A newer row replaces the one on the screen only while nothing is changed: otherwise saving finds the difference.
  const seen = useRef(read)
  useEffect(() => {
    if (seen.current === read) return
    seen.current = read
    if (Object.keys(store.draft().patch).length > 0 || isSame(store.draft().base, read.row)) return
    store.replace(emptyDraft(read.row))
    setEtag(read.etag)
  }, [read, store])

  const neighbours = neighboursOf(sessionStorage.getItem(listPlace(collection.collection)), address)
  const open = (key: string | null) => {
    if (key !== null) go(itemRoute(collection.collection, key))
  }
  const discard = () => {
    store.discardAll()
    save.clear()
    forgetDrafts(sessionStorage, place)
    setKept(null)
  }
  const toList = () => go(browseRoute(collection.collection))
  const copy = () => {
    const locked = new Set([
      ...collection.key,
      ...item.plainFields.filter((each) => each.schema?.is_generated === true).map((each) => each.field),
    ])
    const values = Object.entries({ ...store.draft().base, ...store.draft().patch }).filter(
      ([name]) => !locked.has(name),
    )
    store.discardAll()
    copyOver(collection.collection, Object.fromEntries(values))
    go(itemRoute(collection.collection, '+'))
  }
  useKeys({
    onSave: () => void save.run(),
    onNext: () => open(neighbours.next),
    onPrevious: () => open(neighbours.previous),
  })

  return (
    <div className={styles['page']}>
      <ItemHead
        collection={collection}
        item={item}
        count={count}
        isBusy={save.isBusy}
        whyLocked={whyLocked}
        neighbours={neighbours}
        onOpen={open}
        onDiscard={discard}
        onReload={onReload}
        onSave={() => void save.run()}
        onSaveAndBack={() => void save.run().then((isSaved) => (isSaved ? toList() : undefined))}
        onSaveAndNew={() =>
          void save.run().then((isSaved) => (isSaved ? go(itemRoute(collection.collection, '+')) : undefined))
        }
        onCopy={copy}
        onDelete={() => setDeleting(true)}
        side={
          <SidePanel collection={collection} item={item} store={store} etag={etag} onReload={onReload} isInDrawer />
        }
      />
      <div className={styles['columns']}>
        <div className={styles['work']}>
          <div className={styles['sheet']}>
            {kept === null ? null : (
              <Notice
                tone="warn"
                title="Unsaved changes were kept"
                actions={
                  <>
                    <Button
                      onClick={() => {
                        store.replace({ base: kept.base, patch: kept.patch })
                        setEtag(kept.etag)
                        setKept(null)
                      }}
                    >
                      Restore
                    </Button>
                    <Button
                      kind="quiet"
                      onClick={() => {
                        forgetDrafts(sessionStorage, place)
                        setKept(null)
                      }}
                    >
                      Throw away
                    </Button>
                  </>
                }
              >
                {Object.keys(kept.patch).length === 1 ? 'One field' : `${Object.keys(kept.patch).length} fields`}{' '}
                changed at {new Date(kept.at).toLocaleTimeString()}
                {kept.etag === read.etag ? '.' : '. The item has changed since: saving shows the differences.'}
              </Notice>
            )}
            {whyLocked === null ? null : <Notice>{whyLocked}</Notice>}
            <SavedErrors errors={save.errors} fields={fields} />
            <Form
              collection={collection}
              itemKey={read.key}
              fields={fields}
              store={store}
              rights={rights}
              errors={save.errors.fields}
            />
          </div>
        </div>
        <aside className={styles['side']} aria-label="About this item">
          <SidePanel collection={collection} item={item} store={store} etag={etag} onReload={onReload} />
        </aside>
      </div>
      {save.conflict === null ? null : (
        <ConflictDialog
          conflict={save.conflict}
          fields={item.plainFields}
          onClose={save.clear}
          onChoose={(theirs) => void save.settle(theirs)}
        />
      )}
      {question === null ? null : (
        <LeaveDialog
          count={count}
          onStay={question.stay}
          onLeave={() => {
            discard()
            question.leave()
          }}
          onSave={() =>
            void save.run().then((isSaved) => {
              if (isSaved) question.leave()
              else question.stay()
            })
          }
        />
      )}
      {isDeleting && read.key !== null ? (
        <DeleteDialog
          collection={collection}
          itemKey={read.key}
          etag={etag}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            discard()
            toList()
          }}
        />
      ) : null}
    </div>
  )
}
