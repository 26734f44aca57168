import { ApiError } from '../api/api-error.ts'
import { createItem, deleteItem, updateItem } from '../api/items.ts'
import { toast } from '../ui/toasts.tsx'
import { createUndo, Stale, type Outcome } from './undo.ts'

/** What this tab wrote, whatever page it was on. */
export const undoTab = createUndo(async ({ kind, collection, key, change, etag }) => {
  try {
    if (kind === 'update') return await updateItem(collection, key, change, { etag, fields: collection.key })
    if (kind === 'create') return await createItem(collection, change, { fields: collection.key })
    return await deleteItem(collection, key, { etag })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 412 || error.status === 404)) throw new Stale()
    throw error
  }
})

/** Takes the last act of this tab back and says what came of it. */
export const undoLast = async (): Promise<void> => say('Undone', 'There is nothing to undo.', await undoTab.undo())

/** The offer of a message to take back what it tells of, as long as nothing was done since. */
export const undoOffer = (act: number | null): { readonly label: string; readonly run: () => void } => ({
  label: 'Undo',
  run: () =>
    void undoTab
      .undo(act ?? -1)
      .then((outcome) => say('Undone', 'Something else was changed since. Ctrl+Z undoes that first.', outcome)),
})

export const redoLast = async (): Promise<void> => say('Done again', 'There is nothing to redo.', await undoTab.redo())

function say(verb: string, none: string, outcome: Outcome | null): void {
  if (outcome === null) return toast(none)
  const { label, done, stale, failures } = outcome
  const parts = [
    done > 0 ? `${verb}: ${label}.` : '',
    stale > 0 ? `${rows(stale)} changed by somebody else since, and left alone.` : '',
    failures.length > 0 ? `${rows(failures.length)} refused: ${failures[0] ?? ''}` : '',
  ]
  const isBad = stale + failures.length > 0
  toast(parts.filter((part) => part !== '').join(' '), { tone: isBad ? 'warn' : 'info' })
}

const rows = (count: number): string => (count === 1 ? '1 row was' : `${count} rows were`)
