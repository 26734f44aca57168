import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { fieldLabel, type Field } from '../model/field.ts'
import { isEdited } from './draft.ts'
import { useForm } from './form-context.ts'
import { flatFields, type FormField } from './form-fields.ts'
import styles from './form.module.css'

interface GroupProps {
  readonly field: Field
  readonly fields: readonly FormField[]
  readonly children: ReactNode
}

/** Fields that belong together. A closed group shows whether something in it was changed, and opens for an error. */
export function Group({ field, fields, children }: GroupProps) {
  const { store, errors, language } = useForm()
  const names = flatFields(fields).map((each) => each.field.field)
  const hasChanges = useSyncExternalStore(store.subscribe, () => names.some((name) => isEdited(store.draft(), name)))
  const isPlain = field.meta?.interface === 'group-raw'
  const [isOpen, setOpen] = useState(field.meta?.options?.['start'] !== 'closed')
  const hasError = names.some((name) => errors.has(name))
  const body = <div className={styles['grid']}>{children}</div>
  if (isPlain) return body
  return (
    <details
      className={styles['group']}
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {fieldLabel(field, language)}
        {hasChanges ? <span className={styles['changed']}>edited</span> : null}
      </summary>
      {body}
    </details>
  )
}
