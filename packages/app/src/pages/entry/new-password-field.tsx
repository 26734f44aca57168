import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { strengthOf, type Strength } from './password-strength.ts'
import styles from './entry.module.css'

const words: Readonly<Record<Strength, string>> = {
  weak: 'Weak: easy to guess.',
  fair: 'Fair: longer is better.',
  good: 'Good.',
  strong: 'Strong.',
}

interface NewPasswordFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | null
  readonly hasFocus?: boolean
}

/** A password that is chosen now, with a guess at how good it is. It can be shown instead of being typed twice. */
export function NewPasswordField({ value, onChange, error = null, hasFocus = false }: NewPasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const strength = value === '' ? null : strengthOf(value)
  return (
    <Field
      label="New password"
      error={error}
      note={
        <>
          <span className={styles['meter']} data-strength={strength ?? undefined} aria-hidden="true">
            <i />
            <i />
            <i />
            <i />
          </span>
          <span aria-live="polite">
            {strength === null
              ? 'Use twelve characters or more. Several words that do not belong together are easy to keep in mind.'
              : words[strength]}
          </span>
        </>
      }
    >
      {(control) => (
        <Input
          {...control}
          icon="lock"
          type={isShown ? 'text' : 'password'}
          name="new-password"
          autoComplete="new-password"
          autoFocus={hasFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          end={
            <IconButton
              icon={isShown ? 'eye-off' : 'eye'}
              label={isShown ? 'Hide the password' : 'Show the password'}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            />
          }
        />
      )}
    </Field>
  )
}
