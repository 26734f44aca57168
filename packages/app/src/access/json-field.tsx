import { useEffect, useState } from 'react'
import { isObject, type Filter } from '../filter/tree.ts'
import { Field } from '../ui/field.tsx'
import { TextArea } from '../ui/input.tsx'
import styles from './json-field.module.css'

interface JsonFieldProps {
  readonly label: string
  readonly note?: string
  readonly value: Filter | null
  readonly onChange: (value: Filter | null) => void
  readonly isReadOnly?: boolean
}

const textOf = (value: Filter | null): string => (value === null ? '' : JSON.stringify(value, null, 2))

/** An object as JSON. What cannot be read is kept as typed, and changes nothing until it can. */
export function JsonField({ label, note, value, onChange, isReadOnly = false }: JsonFieldProps) {
  const [typed, setTyped] = useState(() => textOf(value))
  const [error, setError] = useState<string | null>(null)
  const outside = JSON.stringify(value)
  useEffect(() => {
    setTyped((text) => (JSON.stringify(parsed(text).value ?? null) === outside ? text : textOf(value)))
    setError(null)
    // The text follows the value, and not its identity.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outside])
  return (
    <Field label={label} note={note} error={error} isWide>
      {(control) => (
        <TextArea
          {...control}
          className={styles['json'] ?? ''}
          rows={Math.min(14, Math.max(3, typed.split('\n').length))}
          spellCheck={false}
          readOnly={isReadOnly}
          placeholder="{}"
          value={typed}
          onChange={(event) => {
            const text = event.target.value
            setTyped(text)
            const result = parsed(text)
            setError(result.error)
            if (result.error === null) onChange(result.value)
          }}
        />
      )}
    </Field>
  )
}

function parsed(text: string): { readonly value: Filter | null; readonly error: string | null } {
  if (text.trim() === '') return { value: null, error: null }
  try {
    const value = JSON.parse(text) as unknown
    if (isObject(value)) return { value: Object.keys(value).length === 0 ? null : value, error: null }
    return { value: null, error: 'An object is needed here, such as {"status": {"_eq": "paid"}}.' }
  } catch (error) {
    return { value: null, error: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` }
  }
}
