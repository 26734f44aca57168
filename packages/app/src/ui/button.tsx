import type { ComponentPropsWithRef, ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import styles from './button.module.css'

export type ButtonKind = 'solid' | 'plain' | 'quiet' | 'danger' | 'link'

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly kind?: ButtonKind
  readonly icon?: IconName
  readonly isWide?: boolean
  readonly isBusy?: boolean
  /** A number behind the words: how many there are. */
  readonly count?: number | null
}

export function Button({ kind = 'plain', icon, isWide, isBusy, count, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy === true || undefined}
      className={[styles['button'], styles[kind], isWide === true ? styles['wide'] : '', className ?? ''].join(' ')}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children === undefined ? null : <span>{children}</span>}
      {count === undefined || count === null ? null : <em className={styles['count']}>{count}</em>}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label' | 'title'> {
  readonly icon: IconName
  /** Read aloud, and shown as its hint. */
  readonly label: string
  readonly keys?: string
  readonly size?: number
  /** Why it cannot be used now; null: it can. */
  readonly whyNot?: string | null
  readonly children?: ReactNode
}

export const IconButton = ({
  icon,
  label,
  keys,
  size = 16,
  whyNot = null,
  className,
  children,
  ...rest
}: IconButtonProps) => (
  <button
    type="button"
    {...rest}
    {...(whyNot === null ? {} : { disabled: true })}
    aria-label={label}
    title={whyNot ?? (keys === undefined ? label : `${label} (${keys})`)}
    className={[styles['button'], styles['quiet'], styles['icon'], className ?? ''].join(' ')}
  >
    <Icon name={icon} size={size} />
    {children}
  </button>
)
