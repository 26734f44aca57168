import { Menu } from '../ui/menu.tsx'
import {
  fieldsOf,
  hasFields,
  isSamePermission,
  levelOf,
  levelWords,
  type Level,
  type Permission,
} from './permission.ts'
import { LevelMark } from './level-mark.tsx'
import styles from './policy-matrix.module.css'

interface MatrixCellProps {
  /** `Read orders` */
  readonly label: string
  readonly cell: readonly Permission[]
  readonly saved: readonly Permission[]
  readonly fieldCount: number | undefined
  readonly whyNot: string | null
  readonly position: string
  readonly onLevel: (level: Level) => void
  readonly onCopy: () => void
}

/** What one action may do with one collection, with a menu to change it. */
export function MatrixCell({ label, cell, saved, fieldCount, whyNot, position, onLevel, onCopy }: MatrixCellProps) {
  const level = levelOf(cell)
  const fields = fieldsText(cell, fieldCount)
  const isChanged = cell.length !== saved.length || cell.some((each, index) => !isSame(each, saved[index]))
  const words = cell.length > 1 && level === 'rule' ? `${cell.length} rules` : levelWords[level]
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className={styles['cell']}
          data-cell={position}
          data-level={level}
          data-changed={isChanged || undefined}
          tabIndex={-1}
          aria-label={`${label}: ${[words, fields].filter((each) => each !== null).join(' ')}${isChanged ? ', changed' : ''}`}
        >
          <LevelMark level={level} />
          <span>{words}</span> {fields === null ? null : <small>{fields}</small>}
        </button>
      )}
      entries={[
        { id: 'none', label: 'None', isChosen: level === 'none', whyNot, run: () => onLevel('none') },
        { id: 'all', label: 'All rows', isChosen: level === 'all', whyNot, run: () => onLevel('all') },
        {
          id: 'rule',
          label: 'Rule and fields…',
          icon: 'filter',
          isChosen: level === 'rule',
          run: () => onLevel('rule'),
        },
        { id: 'copy', label: 'Copy to other cells…', icon: 'copy', whyNot, run: onCopy },
      ]}
    />
  )
}

const isSame = (a: Permission, b: Permission | undefined): boolean => b !== undefined && isSamePermission(a, b)

/** `3 of 7 fields`; null: all of them, or the action has none. */
function fieldsText(cell: readonly Permission[], count: number | undefined): string | null {
  const [first] = cell
  if (first === undefined || !hasFields(first.action)) return null
  const fields = fieldsOf(cell)
  if (fields === null) return null
  return count === undefined ? `${fields.length} fields` : `${fields.length} of ${count} fields`
}
