import { useState } from 'react'
import { useLanguage } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import { fieldLabel, type Field } from '../../model/field.ts'
import { plainText } from '../../model/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { FoundConflict } from './use-save.ts'
import styles from './conflict.module.css'

interface ConflictDialogProps {
  readonly conflict: FoundConflict
  readonly fields: readonly Field[]
  readonly onClose: () => void
  readonly onChoose: (theirs: ReadonlySet<string>) => void
}

/** Two people changed the same fields: what it was, theirs, mine; one is chosen for each field. */
export function ConflictDialog({ conflict, fields, onClose, onChoose }: ConflictDialogProps) {
  const language = useLanguage()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const [isUnderstood, setUnderstood] = useState<ReadonlySet<string>>(new Set())
  const choose = (field: string, isTheirs: boolean) => {
    const next = new Set(theirs)
    if (isTheirs) next.add(field)
    else next.delete(field)
    setTheirs(next)
    setUnderstood(new Set([...isUnderstood, field]))
  }
  const open = conflict.conflicts.filter(({ field }) => !isUnderstood.has(field)).length
  const labelOf = (name: string): string => {
    const field = fields.find((each) => each.field === name)
    return field === undefined ? name : fieldLabel(field, language)
  }
  const show = (name: string, value: unknown) => {
    const field = fields.find((each) => each.field === name)
    if (value === null || value === undefined) return <code>NULL</code>
    return field === undefined ? plainText(value) : <Value value={value} field={field} />
  }
  return (
    <Dialog
      isOpen
      isUrgent
      kind="wide"
      onClose={onClose}
      title="Somebody else changed this item"
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Back to the form
          </Button>
          <Button
            kind="solid"
            disabled={open > 0}
            title={open > 0 ? 'Choose a value for each field first' : undefined}
            onClick={() => onChoose(theirs)}
          >
            Save the chosen values
          </Button>
        </>
      }
    >
      <p className={styles['words']}>
        Choose one value for each field that both of you changed.
        {conflict.taken.length === 0
          ? ''
          : ` Taken over without a question: ${conflict.taken.map(labelOf).join(', ')}.`}
      </p>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Was</th>
              <th scope="col">Theirs</th>
              <th scope="col">Mine</th>
            </tr>
          </thead>
          <tbody>
            {conflict.conflicts.map(({ field, was, theirs: other, mine }) => (
              <tr key={field}>
                <th scope="row">{labelOf(field)}</th>
                <td>{show(field, was)}</td>
                <td data-chosen={(isUnderstood.has(field) && theirs.has(field)) || undefined}>
                  <label>
                    <input
                      type="radio"
                      name={`conflict-${field}`}
                      aria-label={`${labelOf(field)}: theirs`}
                      checked={isUnderstood.has(field) && theirs.has(field)}
                      onChange={() => choose(field, true)}
                    />
                    <span>{show(field, other)}</span>
                  </label>
                </td>
                <td data-chosen={(isUnderstood.has(field) && !theirs.has(field)) || undefined}>
                  <label>
                    <input
                      type="radio"
                      name={`conflict-${field}`}
                      aria-label={`${labelOf(field)}: mine`}
                      checked={isUnderstood.has(field) && !theirs.has(field)}
                      onChange={() => choose(field, false)}
                    />
                    <span>{show(field, mine)}</span>
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  )
}
