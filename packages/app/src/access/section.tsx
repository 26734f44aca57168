import type { ReactNode } from 'react'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly isDanger?: boolean
}

/** A part of a settings page: what it is about at the top, its controls below. */
export const Section = ({ title, note, actions, children, isDanger = false }: SectionProps) => (
  <section className={styles['section']} aria-label={title} data-danger={isDanger || undefined}>
    <header>
      <div>
        <h2>{title}</h2>
        {note === undefined ? null : <p>{note}</p>}
      </div>
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    </header>
    {children === undefined ? null : <div className={styles['body']}>{children}</div>}
  </section>
)
