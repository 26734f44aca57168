import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldsQuery } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Input } from '../ui/input.tsx'
import styles from './field-checklist.module.css'

interface FieldChecklistProps {
  readonly collection: string
  /** `*` is all fields, also those that are added later. */
  readonly chosen: readonly string[]
  readonly onChange: (fields: readonly string[]) => void
  readonly isReadOnly: boolean
}

const MANY = 14

/** The fields that a permission covers. */
export function FieldChecklist({ collection, chosen, onChange, isReadOnly }: FieldChecklistProps) {
  const { data: fields = [] } = useQuery(fieldsQuery(collection))
  const [typed, setTyped] = useState('')
  const isAll = chosen.includes('*')
  const names = fields.map(({ field }) => field)
  const unknown = chosen.filter((name) => name !== '*' && !names.includes(name))
  const toggle = (name: string, isOn: boolean) => {
    const now = isAll ? names : chosen
    onChange(isOn ? [...now, name] : now.filter((each) => each !== name))
  }
  return (
    <fieldset className={styles['fields']}>
      <legend>
        Fields <span>{isAll ? `all ${names.length}` : `${chosen.length - unknown.length} of ${names.length}`}</span>
      </legend>
      <div className={styles['tools']}>
        <Checkbox
          checked={isAll}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.target.checked ? ['*'] : names)}
        >
          All fields, also those added later
        </Checkbox>
        <Button kind="link" disabled={isReadOnly || (!isAll && chosen.length === 0)} onClick={() => onChange([])}>
          None
        </Button>
        {names.length > MANY ? (
          <Input
            className={styles['filter'] ?? ''}
            aria-label="Filter fields"
            placeholder="Filter fields"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        ) : null}
      </div>
      <ul className={styles['list']}>
        {fields
          .filter(({ field }) => field.includes(typed.trim().toLowerCase()))
          .map(({ field, type }) => (
            <li key={field}>
              <Checkbox
                checked={isAll || chosen.includes(field)}
                disabled={isReadOnly}
                onChange={(event) => toggle(field, event.target.checked)}
              >
                <code>{field}</code> <em>{type}</em>
              </Checkbox>
            </li>
          ))}
        {unknown.map((field) => (
          <li key={field}>
            <Checkbox checked disabled={isReadOnly} onChange={() => toggle(field, false)} note="No such field now">
              <code>{field}</code>
            </Checkbox>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
