import { Link } from 'wouter'
import { useLanguage } from '../../app/use-start.ts'
import type { RowState } from '../../form/list-patch.ts'
import type { Collection } from '../../model/collection.ts'
import { fieldLabel } from '../../model/field.ts'
import { itemRoute, type Row } from '../../model/key.ts'
import { IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { SmallColumn } from './columns.ts'
import type { Removal } from './removal.ts'
import { SmallCell } from './small-cell.tsx'
import styles from './rows.module.css'

export interface ShownRow {
  readonly id: string
  readonly row: Row
  readonly state: RowState
  /** Null: not saved yet. */
  readonly key: string | null
  /** The place among the rows to create; null: the row exists. */
  readonly index: number | null
}

interface RowsTableProps {
  readonly label: string
  readonly collection: Collection
  readonly columns: readonly SmallColumn[]
  readonly rows: readonly ShownRow[]
  readonly titleOf: (row: Row) => string
  readonly isLocked: boolean
  /** Why rows cannot be opened in a drawer; null: they can. */
  readonly whyNotEdit: string | null
  readonly isLoading: boolean
  readonly removal: Removal
  readonly onEdit: (row: ShownRow) => void
  readonly onRemove: (row: ShownRow) => void
  readonly onUndo: (row: ShownRow) => void
}

const stateWords: Readonly<Record<RowState, string>> = {
  kept: '',
  created: 'new',
  edited: 'edited',
  linked: 'added',
  removed: 'leaves',
}

export function RowsTable(props: RowsTableProps) {
  const { label, columns, rows, isLoading } = props
  const language = useLanguage()
  if (isLoading) return <Skeleton lines={3} />
  if (rows.length === 0) return <p className={styles['empty']}>Nothing here yet.</p>
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={`Rows of ${label}`}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map(({ field }) => (
              <th key={field.field} scope="col">
                {fieldLabel(field, language)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">State and actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => (
            <TableRow key={each.id} {...props} shown={each} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TableRow({
  shown,
  collection,
  columns,
  titleOf,
  isLocked,
  whyNotEdit,
  removal,
  onEdit,
  onRemove,
  onUndo,
}: RowsTableProps & { readonly shown: ShownRow }) {
  const { row, key, state, index } = shown
  const name = titleOf(row)
  const isStaged = index !== null || state === 'linked'
  const whyNoRemoval = isStaged ? null : removal.whyNot
  return (
    <tr data-state={state}>
      {columns.map((column) => (
        <td key={column.field.field}>
          <SmallCell column={column} row={row} />
        </td>
      ))}
      <td className={styles['actions']}>
        {stateWords[state] === '' ? null : <span className={styles['state']}>{stateWords[state]}</span>}
        {isLocked ? null : (
          <>
            {state === 'removed' ? null : (
              <IconButton
                icon="pencil"
                size={14}
                label={whyNotEdit ?? `Edit ${name}`}
                disabled={whyNotEdit !== null}
                onClick={() => onEdit(shown)}
              />
            )}
            {state === 'removed' || (state === 'edited' && index === null) ? (
              <IconButton icon="undo-2" size={14} label={`Undo the change of ${name}`} onClick={() => onUndo(shown)} />
            ) : null}
            {state === 'removed' ? null : (
              <IconButton
                icon={isStaged ? 'x' : removal.kind === 'delete' ? 'trash-2' : 'link-2-off'}
                size={14}
                label={whyNoRemoval ?? `${isStaged ? 'Take out' : removal.label} ${name}`}
                disabled={whyNoRemoval !== null}
                onClick={() => onRemove(shown)}
              />
            )}
          </>
        )}
        {key === null ? null : (
          <Link
            href={itemRoute(collection.collection, key)}
            className={styles['open']}
            aria-label={`Open ${name}`}
            title="Open"
          >
            <Icon name="arrow-up-right" size={14} />
          </Link>
        )}
      </td>
    </tr>
  )
}
