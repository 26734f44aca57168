import type { ReactNode } from 'react'
import { useStart } from '../../app/use-start.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './entry.module.css'

interface EntrySheetProps {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
  /** Small words below everything. */
  readonly foot?: ReactNode
}

/** The one sheet on the desk that all pages before the app share. */
export const EntrySheet = ({ title, note, children, foot }: EntrySheetProps) => (
  <div className={styles['desk']}>
    <main className={styles['sheet']}>
      <Mark size={34} />
      <h1 className={styles['title']}>{title}</h1>
      {note === undefined ? null : <div className={styles['note']}>{note}</div>}
      <div className={styles['work']}>{children}</div>
      {foot === undefined ? null : <div className={styles['foot']}>{foot}</div>}
    </main>
  </div>
)

interface Project {
  readonly name: string
  readonly descriptor: string | null
  /** Words of the administrators for everybody who signs in. */
  readonly publicNote: string | null
}

/** What strangers may know about the project. */
export function useProject(): Project {
  const { project } = useStart()
  const { project_name, project_descriptor, public_note } = project as Readonly<Record<string, unknown>>
  return { name: text(project_name) ?? 'Tain', descriptor: text(project_descriptor), publicNote: text(public_note) }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
