import type { ReactNode } from 'react'
import styles from './gallery.module.css'

interface SampleProps {
  readonly title: string
  readonly children: ReactNode
  readonly isWide?: boolean
}

/** A state of a component with its name. */
export const Sample = ({ title, children, isWide = false }: SampleProps) => (
  <div className={styles['sample']} data-wide={isWide || undefined}>
    <h3>{title}</h3>
    <div className={styles['stage']}>{children}</div>
  </div>
)

export const LONG =
  'A name that is much longer than the place where it stands, such as the full legal name of a company with all its branches'
export const ARABIC = 'طلبات العملاء من جميع القنوات'
