import { useRef, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { noSelection } from '../../grid/selection.ts'
import { titleOf } from '../../model/field.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Progress } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toasts.tsx'
import { afterWrite, rowCount, type DeletePlan } from './delete-selected.ts'
import { deleteRows, type Consequence } from './row-writes.ts'
import type { SelectionProps } from './selection-props.ts'
import { isGrave } from './grave.ts'
import styles from './boxes.module.css'

interface DeleteDialogProps extends SelectionProps {
  readonly plan: DeletePlan
  readonly onClose: () => void
}

/** The plan of a deletion: how many rows, what goes along, what stands against it. */
export function DeleteDialog({ collection, source, selection, onSelect, plan, onClose }: DeleteDialogProps) {
  const { keys, tried, consequences, refusal } = plan
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  const mustType = isGrave(keys.length, selection.isAll, source.query)
  const isReady = !mustType || typed === collection.collection
  const run = async () => {
    const controller = new AbortController()
    running.current = controller
    setDone(0)
    try {
      const deleted = await deleteRows(collection, keys, { signal: controller.signal, onProgress: setDone })
      toast(`${rowCount(deleted)} deleted.${deleted < keys.length ? ' The rest was cancelled.' : ''}`)
      onSelect(noSelection)
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
    afterWrite(collection, source.reload)
    onClose()
  }
  return (
    <Dialog
      isOpen
      isUrgent={done !== null}
      onClose={() => {
        running.current?.abort()
        onClose()
      }}
      title={`Delete ${rowCount(keys.length)} of ${collection.collection}`}
      actions={
        <>
          <Button onClick={() => (running.current === null ? onClose() : running.current.abort())}>Cancel</Button>
          <Button
            kind="solid"
            icon="trash-2"
            disabled={!isReady || refusal !== null || done !== null}
            onClick={() => void run()}
          >
            Delete {rowCount(keys.length)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {refusal === null ? null : (
          <Notice tone="danger" title="The database refuses this">
            {refusal}
          </Notice>
        )}
        {tried < keys.length ? <p>Looked at the first {tried} rows:</p> : null}
        {consequences.length === 0 ? (
          <p>No row of another collection refers to them.</p>
        ) : (
          <ul className={styles['effects']}>
            {consequences.map((each) => (
              <li key={`${each.collection}.${each.field}`}>{effectWords(each)}</li>
            ))}
          </ul>
        )}
        <p>This cannot be undone.</p>
        {mustType ? (
          <Field label={`Type "${collection.collection}" to go on`}>
            {(control) => <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
          </Field>
        ) : null}
        {done === null ? null : (
          <Progress label={`${done} of ${rowCount(keys.length)} deleted`} done={done} total={keys.length} />
        )}
      </div>
    </Dialog>
  )
}

function effectWords({ collection, field, effect, count }: Consequence): string {
  const rows = `${rowCount(count)} of ${titleOf(collection)}`
  const words: Readonly<Record<Consequence['effect'], string>> = {
    deleted: `${rows} will be deleted too.`,
    cleared: `${rows} will lose their ${titleOf(field).toLowerCase()}.`,
    refused: `${rows} still refer to them by ${field}.`,
  }
  return words[effect]
}
