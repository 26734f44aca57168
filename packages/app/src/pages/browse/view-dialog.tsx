import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { audiences, type Audience } from './saved-views.ts'
import styles from './boxes.module.css'

const audienceLabels: Readonly<Record<Audience, string>> = {
  mine: 'Only me',
  role: 'Everybody in my role',
  all: 'Everybody',
}

interface ViewDialogProps {
  readonly name: string
  readonly audience: Audience
  readonly hasRole: boolean
  /** Views of others are kept by administrators. */
  readonly mayShare: boolean
  readonly isNew: boolean
  readonly onClose: () => void
  readonly onSave: (name: string, audience: Audience) => void
}

/** Asks for the name of a view and who sees it. */
export function ViewDialog({ name, audience, hasRole, mayShare, isNew, onClose, onSave }: ViewDialogProps) {
  const [typed, setTyped] = useState(name)
  const [chosen, setChosen] = useState(audience)
  const offered = audiences.filter((each) => each === 'mine' || (mayShare && (each === 'all' || hasRole)))
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    onSave(typed.trim(), chosen)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? 'Save as a new view' : 'Rename or share'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" type="submit" form="view-form" disabled={typed.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <form id="view-form" className={styles['form']} onSubmit={save}>
        <Field label="Name" isRequired>
          {(control) => (
            <Input {...control} autoFocus value={typed} onChange={(event) => setTyped(event.target.value)} />
          )}
        </Field>
        <Field
          label="Who sees it"
          note={
            mayShare
              ? 'Filter, search, sort and fields are saved; rows stay as everybody may read them.'
              : 'Administrators can share views.'
          }
        >
          {(control) => (
            <Select
              {...control}
              value={chosen}
              disabled={!mayShare}
              onChange={(event) => setChosen(event.target.value as Audience)}
              choices={offered.map((each) => ({ value: each, text: audienceLabels[each] }))}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
