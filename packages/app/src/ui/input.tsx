import type { ComponentPropsWithRef, ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import styles from './input.module.css'

interface InputProps extends ComponentPropsWithRef<'input'> {
  readonly icon?: IconName
  /** Shown behind the text: keys, a unit, a button. */
  readonly end?: ReactNode
}

/** A line of text. */
export const Input = ({ icon, end, className, ...rest }: InputProps) => (
  <span
    className={[styles['box'], className ?? ''].join(' ')}
    data-disabled={rest.disabled === true || rest.readOnly === true || undefined}
  >
    {icon === undefined ? null : <Icon name={icon} />}
    <input autoComplete="off" spellCheck={false} {...rest} className={styles['input']} />
    {end}
  </span>
)

export const TextArea = ({ className, ...rest }: ComponentPropsWithRef<'textarea'>) => (
  <textarea
    rows={3}
    {...rest}
    className={[styles['box'], styles['area'], className ?? ''].join(' ')}
    data-disabled={rest.readOnly === true || undefined}
  />
)

interface SelectProps extends ComponentPropsWithRef<'select'> {
  readonly choices: readonly { readonly value: string; readonly text: string }[]
}

/** One of few, by the browser's own list. */
export const Select = ({ choices, className, ...rest }: SelectProps) => (
  <span className={[styles['box'], styles['select'], className ?? ''].join(' ')}>
    <select {...rest}>
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" size={14} />
  </span>
)

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  readonly children?: ReactNode
  readonly note?: ReactNode
}

export const Checkbox = ({ children, note, className, ...rest }: CheckboxProps) => (
  <label className={[styles['check'], className ?? ''].join(' ')}>
    <input type="checkbox" {...rest} />
    {children === undefined ? null : (
      <span>
        {children}
        {note === undefined ? null : <small>{note}</small>}
      </span>
    )}
  </label>
)

export const Switch = ({ children, ...rest }: CheckboxProps) => (
  <label className={styles['switch']}>
    <input type="checkbox" role="switch" {...rest} />
    <span className={styles['track']} aria-hidden="true" />
    <span>{children}</span>
  </label>
)
