import type { ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import styles from './page-head.module.css'

interface PageHeadProps {
  readonly icon: IconName
  readonly title: string
  readonly note?: ReactNode
  /** Links to the pages above, shown before the title. */
  readonly crumbs?: ReactNode
  /** Buttons at the end. */
  readonly actions?: ReactNode
}

/** The first line of a page: what it is, and what can be done with it as a whole. */
export const PageHead = ({ icon, title, note, crumbs, actions }: PageHeadProps) => (
  <header className={styles['head']}>
    <Icon name={icon} size={18} />
    {crumbs === undefined ? null : <div className={styles['crumbs']}>{crumbs}</div>}
    <h1 className={styles['title']} dir="auto" tabIndex={-1}>
      {title}
    </h1>
    {note === undefined || note === null || note === '' ? null : <p className={styles['note']}>{note}</p>}
    {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
  </header>
)
