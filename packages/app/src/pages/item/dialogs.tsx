import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { deleteItem } from '../../api/items.ts'
import { collectionLabel, type Collection } from '../../model/collection.ts'
import { filteredListRoute } from '../../model/filtered-list.ts'
import { keyText } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './item.module.css'

interface LeaveDialogProps {
  readonly count: number
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly onSave: () => void
}

export const LeaveDialog = ({ count, onStay, onLeave, onSave }: LeaveDialogProps) => (
  <Dialog
    isOpen
    isUrgent
    onClose={onStay}
    title="Leave without saving?"
    actions={
      <>
        <Button kind="quiet" onClick={onStay}>
          Stay
        </Button>
        <Button kind="danger" onClick={onLeave}>
          Discard and leave
        </Button>
        <Button kind="solid" onClick={onSave}>
          Save and leave
        </Button>
      </>
    }
  >
    {count === 1 ? 'One change is' : `${count} changes are`} not saved yet.
  </Dialog>
)

/** The way to the rows that keep an item from being deleted. */
function Referring({ error, itemKey }: { readonly error: unknown; readonly itemKey: string }) {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_FOREIGN_KEY') return null
  const { collection, field } = error.extensions
  if (typeof collection !== 'string' || typeof field !== 'string') return null
  return <Link href={filteredListRoute(collection, { [field]: { _eq: keyText(itemKey) } })}>Show these rows</Link>
}

interface DeleteDialogProps {
  readonly collection: Collection
  readonly itemKey: string
  readonly etag: string | null
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDialog({ collection, itemKey, etag, onClose, onDeleted }: DeleteDialogProps) {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async () => {
    setBusy(true)
    try {
      await deleteItem(collection, itemKey, { etag })
      queries.removeQueries({ queryKey: ['items', collection.collection, 'item', itemKey] })
      onDeleted()
      void queries.invalidateQueries({ queryKey: ['items'] })
      toast('Deleted.')
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      isUrgent
      onClose={onClose}
      title="Delete this item?"
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} disabled={isBusy} onClick={() => void run()}>
            Delete
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>
          Item <code>{keyText(itemKey)}</code> of {collectionLabel(collection)} is removed from the database. Rows that
          depend on it go along where the database says so.
        </p>
        {error === null ? null : (
          <Notice tone="danger" title="Nothing was deleted" actions={<Referring error={error} itemKey={itemKey} />}>
            {messageOf(error)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
