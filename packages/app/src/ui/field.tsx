import { useId, type ReactNode } from 'react'
import styles from './field.module.css'

interface FieldProps {
  readonly label: string
  readonly note?: ReactNode
  readonly error?: string | null
  readonly isRequired?: boolean
  readonly isEdited?: boolean
  /** Shown at the end of the label: the type, a link, a menu. */
  readonly aside?: ReactNode
  readonly isWide?: boolean
  /** The control, with the properties that join it to its label, note and error. */
  readonly children: (control: ControlProps) => ReactNode
}

export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

/** A control with its label, its note and what is wrong with its value. */
export function Field({
  label,
  note,
  error,
  isRequired = false,
  isEdited = false,
  aside,
  isWide = false,
  children,
}: FieldProps) {
  const id = useId()
  const described = [note === undefined ? '' : `${id}-note`, hasText(error) ? `${id}-error` : ''].filter(
    (each) => each !== '',
  )
  return (
    <div className={styles['field']} data-edited={isEdited || undefined} data-wide={isWide || undefined}>
      <div className={styles['line']}>
        <label htmlFor={id} className={styles['label']}>
          {label}
          {isRequired ? (
            <span className={styles['required']} aria-hidden="true">
              *
            </span>
          ) : null}
        </label>
        {aside === undefined ? null : <span className={styles['aside']}>{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': hasText(error) ? true : undefined,
        'aria-required': isRequired ? true : undefined,
      })}
      {note === undefined ? null : (
        <div id={`${id}-note`} className={styles['note']}>
          {note}
        </div>
      )}
      {hasText(error) ? (
        <div id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </div>
      ) : null}
    </div>
  )
}

const hasText = (text: string | null | undefined): text is string => typeof text === 'string' && text !== ''
