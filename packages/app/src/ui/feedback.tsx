import { useEffect, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import styles from './feedback.module.css'

/** Milliseconds after which people want to know what takes so long. */
const LONG = 1000

export type Tone = 'info' | 'good' | 'warn' | 'danger'

const icons: Readonly<Record<Tone, IconName>> = {
  info: 'info',
  good: 'circle-check',
  warn: 'triangle-alert',
  danger: 'circle-alert',
}

interface NoticeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** Something to know beside the work. What is wrong is read aloud at once. */
export const Notice = ({ tone = 'info', title, children, actions }: NoticeProps) => (
  <div className={styles['notice']} data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
    <Icon name={icons[tone]} />
    <div className={styles['words']}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children === undefined ? null : <div>{children}</div>}
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    </div>
  </div>
)

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** Small words below the actions. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly isAlert?: boolean
  /** It stands for a whole page, so its title is that of the page. */
  readonly isPage?: boolean
}

/** What a place shows that has nothing to show: what it means, and what to do next. */
export const Empty = ({ icon, title, children, note, actions, isAlert = false, isPage = false }: EmptyProps) => (
  <div className={styles['empty']} role={isAlert ? 'alert' : undefined}>
    <span className={styles['emblem']}>
      <Icon name={icon} size={22} />
    </span>
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children === undefined ? null : <p>{children}</p>}
    {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    {note === undefined ? null : <small className={styles['note']}>{note}</small>}
  </div>
)

/** Grey lines where words will be. It appears only when the wait is long enough to notice. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className={styles['skeleton']} aria-hidden="true">
    {Array.from({ length: lines }, (_, index) => (
      <i key={index} data-width={index % 4} />
    ))}
  </div>
)

interface WaitingProps {
  readonly children: ReactNode
  readonly onStop: () => void
}

/** What is waited for, and a way out of it. It appears when the wait is long enough to wonder. */
export function Waiting({ children, onStop }: WaitingProps) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles['waiting']} role="status" data-shown={isLong || undefined}>
      {isLong ? (
        <>
          <i aria-hidden="true" />
          <span>{children}</span>
          <Button kind="link" onClick={onStop}>
            Cancel
          </Button>
        </>
      ) : null}
    </div>
  )
}

interface ProgressProps {
  readonly label: string
  readonly done: number
  readonly total: number
}

export const Progress = ({ label, done, total }: ProgressProps) => (
  <div className={styles['progress']}>
    <span>{label}</span>
    <progress value={done} max={total} aria-label={label} />
  </div>
)

export const Badge = ({ tone = 'info', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={styles['badge']} data-tone={tone}>
    {children}
  </span>
)
