import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Failure } from '../../app/faces.tsx'
import { useLanguage, useStart } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import { bothFilters } from '../../filter/tree.ts'
import type { Column } from '../../grid/column.ts'
import type { RowSource } from '../../grid/source.ts'
import { HEAD } from '../../grid/use-sheet.ts'
import type { Collection } from '../../model/collection.ts'
import { plainText } from '../../model/plain-text.ts'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { groupFilter, groupsQuery, MOST_GROUPS, type RowGroup } from './group-by.ts'
import { useSource } from './use-source.ts'
import type { ViewState } from './view-state.ts'
import styles from './groups.module.css'

interface GroupsProps {
  readonly collection: Collection
  /** The field of the groups. */
  readonly column: Column
  readonly columns: readonly Column[]
  readonly state: ViewState
  readonly rowHeight: number
  readonly rows: (source: RowSource, label: string) => ReactNode
}

/** The rows of a view under the values of one field. A group is read when it is opened. */
export function Groups({ collection, column, columns, state, rowHeight, rows }: GroupsProps) {
  const { collections } = useStart()
  const { filter, search } = state
  const { data, error, refetch } = useQuery(groupsQuery({ collection, filter, search }, column, collections))
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} />
  const toggle = (name: string) =>
    setOpened((before) => new Set(before.has(name) ? [...before].filter((each) => each !== name) : [...before, name]))
  return (
    <div className={styles['groups']} role="region" aria-label={`Groups by ${column.label}`} tabIndex={-1}>
      {data.map((group) => {
        const name = JSON.stringify(group.value)
        const isOpen = opened.has(name)
        return (
          <section key={name} className={styles['group']}>
            <GroupHead group={group} column={column} isOpen={isOpen} onPress={() => toggle(name)} />
            {isOpen ? (
              <GroupRows
                collection={collection}
                columns={columns}
                state={{
                  ...state,
                  filter: bothFilters(filter, groupFilter(column.path, group.value)),
                }}
                height={HEAD + Math.min(group.count, MOST_ROWS) * rowHeight + SCROLLBAR}
                rows={(source) => rows(source, group.words ?? (group.value === null ? 'NULL' : plainText(group.value)))}
              />
            ) : null}
          </section>
        )
      })}
      {data.length === MOST_GROUPS ? (
        <Notice>These are the {MOST_GROUPS} largest groups. Filter the rows to see others.</Notice>
      ) : null}
    </div>
  )
}

/** A larger group scrolls. */
const MOST_ROWS = 12
const SCROLLBAR = 14

interface GroupHeadProps {
  readonly group: RowGroup
  readonly column: Column
  readonly isOpen: boolean
  readonly onPress: () => void
}

function GroupHead({ group: { value, count, words }, column, isOpen, onPress }: GroupHeadProps) {
  const language = useLanguage()
  return (
    <h2 className={styles['head']}>
      <button type="button" aria-expanded={isOpen} onClick={onPress}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={15} />
        <span className={styles['value']} dir="auto">
          {words ?? <Value value={value} field={column.field} language={language} />}
        </span>
        <span className={styles['count']}>
          {count.toLocaleString(language)} {count === 1 ? 'row' : 'rows'}
        </span>
      </button>
    </h2>
  )
}

interface GroupRowsProps {
  readonly collection: Collection
  readonly columns: readonly Column[]
  readonly state: ViewState
  readonly height: number
  readonly rows: (source: RowSource) => ReactNode
}

function GroupRows({ collection, columns, state, height, rows }: GroupRowsProps) {
  const source = useSource(collection, columns, state)
  return (
    <div className={styles['rows']} style={{ height }}>
      {source === null ? null : rows(source)}
    </div>
  )
}
