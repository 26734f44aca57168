import { useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, Progress } from '../ui/feedback.tsx'
import { toast } from '../ui/toasts.tsx'
import { writeRows } from './batch.ts'
import { isWriting, type PastedRow, type PastePlan } from './paste.ts'
import type { RowSource } from './row-source.ts'
import { undoOffer } from './undo-tab.ts'
import styles from './paste-preview.module.css'

interface PastePreviewProps {
  readonly plan: PastePlan
  readonly source: RowSource
  readonly onClose: () => void
}

type Phase =
  | { readonly kind: 'looking' }
  | { readonly kind: 'writing'; readonly done: number }
  | { readonly kind: 'done'; readonly written: number; readonly refused: ReadonlyMap<PastedRow, string> }
  | { readonly kind: 'failed'; readonly message: string }

const SHOWN = 200

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** Shows what pasting would do, row by row, with what cannot be; then writes the rest and shows what was refused. */
export function PastePreview({ plan, source, onClose }: PastePreviewProps) {
  const [phase, setPhase] = useState<Phase>({ kind: 'looking' })
  const abort = useRef<AbortController | null>(null)
  const { rows, columns, left } = plan
  const writing = rows.filter(isWriting)
  const bad = rows.filter(({ problems }) => problems.size > 0)
  const added = writing.filter(({ index }) => index === null)
  const refused = phase.kind === 'done' ? phase.refused : new Map<PastedRow, string>()

  const write = async (): Promise<void> => {
    abort.current = new AbortController()
    setPhase({ kind: 'writing', done: 0 })
    try {
      const result = await writeRows(
        source,
        writing.map(({ change }) => change),
        `Pasted ${rowsText(writing.length)}`,
        (done) => setPhase({ kind: 'writing', done }),
        abort.current.signal,
      )
      if (result.created.length > 0) source.reload()
      if (result.written > 0) toast(`Pasted ${rowsText(result.written)}.`, { action: undoOffer(result.act) })
      if (result.refused.size === 0) return onClose()
      const reasons = new Map<PastedRow, string>()
      for (const [place, reason] of result.refused) {
        const row = writing[place]
        if (row !== undefined) reasons.set(row, reason)
      }
      setPhase({ kind: 'done', written: result.written, refused: reasons })
    } catch (error) {
      setPhase({ kind: 'failed', message: messageOf(error) })
    }
  }

  const shown = phase.kind === 'done' ? rows.filter((row) => refused.has(row) || row.problems.size > 0) : rows
  return (
    <Dialog
      isOpen
      kind="wide"
      isUrgent={phase.kind === 'writing'}
      title={phase.kind === 'done' ? 'Some rows were refused' : `Paste ${rowsText(rows.length)}`}
      onClose={onClose}
      actions={
        phase.kind === 'writing' ? (
          <Button onClick={() => abort.current?.abort()}>Stop after this part</Button>
        ) : phase.kind === 'done' ? (
          <Button kind="solid" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="solid" disabled={writing.length === 0} onClick={() => void write()}>
              {bad.length > 0 ? `Paste ${rowsText(writing.length)} that fit` : `Paste ${rowsText(writing.length)}`}
            </Button>
          </>
        )
      }
    >
      <div className={styles['body']}>
        <p className={styles['facts']} role="status">
          {phase.kind === 'done'
            ? `${rowsText(phase.written)} written, ${rowsText(refused.size)} refused.`
            : facts(writing.length - added.length, added.length, rows.length - writing.length - bad.length)}
        </p>
        {bad.length > 0 && phase.kind === 'looking' ? (
          <Notice tone="warn" title={`${rowsText(bad.length)} cannot be pasted`}>
            They are marked below and left out.
          </Notice>
        ) : null}
        {left > 0 ? (
          <Notice tone="warn">
            {left === 1 ? '1 column' : `${left} columns`} of what was copied lie beyond the last column and are left
            out.
          </Notice>
        ) : null}
        {phase.kind === 'failed' ? <Notice tone="danger">{phase.message}</Notice> : null}
        {phase.kind === 'writing' ? <Progress label="Writing" done={phase.done} total={writing.length} /> : null}
        <div className={styles['scroll']} tabIndex={0} role="region" aria-label="Rows to paste">
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Row</th>
                {columns.map(({ path, label }) => (
                  <th key={path} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, SHOWN).map((row, line) => (
                <tr key={line} data-bad={row.problems.size > 0 || refused.has(row) || undefined}>
                  <th scope="row">{row.index === null ? 'new' : row.index + 1}</th>
                  {columns.map(({ path }, place) => (
                    <td key={path} data-bad={row.problems.has(path) || undefined}>
                      {row.cells[place] ?? ''}
                    </td>
                  ))}
                  <td className={styles['result']}>{refused.get(row) ?? resultOf(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {shown.length > SHOWN ? <p className={styles['facts']}>and {rowsText(shown.length - SHOWN)} more</p> : null}
      </div>
    </Dialog>
  )
}

const facts = (changed: number, added: number, same: number): string =>
  [
    changed > 0 ? `${rowsText(changed)} will change` : '',
    added > 0 ? `${rowsText(added)} will be added` : '',
    same > 0 ? `${rowsText(same)} stay as they are` : '',
  ]
    .filter((part) => part !== '')
    .join(', ') || 'Nothing would change'

function resultOf(row: PastedRow): string {
  const [problem] = row.problems.values()
  if (problem !== undefined) return problem
  if (row.index === null) return 'new row'
  return isWriting(row) ? 'changes' : 'stays as it is'
}
