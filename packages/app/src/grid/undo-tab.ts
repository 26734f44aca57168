import { ApiError } from '../api/api-error.ts'
import { queryClient } from '../app/query-client.ts'
import { createItem, deleteItem, updateItem } from '../api/items.ts'
import { signals } from '../api/signals.ts'
import { toast } from '../ui/toasts.tsx'
import { createUndo, Stale, type Outcome } from './undo.ts'
import { keyPaths } from '../model/key.ts'

/** What this tab wrote, whatever page it was on. */
export const undoTab = createUndo(async ({ kind, collection, key, change, etag }) => {
  try {
    if (kind === 'update') return await updateItem(collection, key, change, { etag, fields: keyPaths(collection) })
    if (kind === 'create') return await createItem(collection, change, { fields: keyPaths(collection) })
    return await deleteItem(collection, key, { etag })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 412 || error.status === 404)) throw new Stale()
    throw error
  }
})

undoTab.onMoved(({ steps }) => {
  for (const name of new Set(steps.map(({ collection }) => collection.collection)))
    void queryClient.invalidateQueries({ queryKey: ['items', name] })
})

/** Takes the last act of this tab back and says what came of it. */
export const undoLast = (): Promise<void> => attempt('Undone', 'There is nothing to undo.', undoTab.undo)

/** The offer of a message to take back what it tells of, as long as nothing was done since. */
export const undoOffer = (act: number | null): { readonly label: string; readonly run: () => void } => ({
  label: 'Undo',
  run: () =>
    void attempt('Undone', 'Something else was changed since. Ctrl+Z undoes that first.', () =>
      undoTab.undo(act ?? -1),
    ),
})

export const redoLast = (): Promise<void> => attempt('Done again', 'There is nothing to redo.', undoTab.redo)

/** What cannot be written now stays to be undone later. */
async function attempt(verb: string, none: string, run: () => Promise<Outcome | null>): Promise<void> {
  const whyNot = signals.whyNotWritten()
  if (whyNot !== null) return toast(whyNot)
  say(verb, none, await run())
}

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
