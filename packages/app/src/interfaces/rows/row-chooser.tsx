import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { readItems } from '../../api/items.ts'
import { relationsQuery } from '../../api/queries.ts'
import { useLanguage, useStart } from '../../app/use-start.ts'
import { Failure } from '../../app/faces.tsx'
import type { useRowLabel } from '../../form/use-row-label.ts'
import { collectionLabel } from '../../model/collection.ts'
import { fieldLabel } from '../../model/field.ts'
import { keyOf, type Row } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { searchQuery } from '../m2o/search.ts'
import { smallColumns } from './columns.ts'
import { SmallCell } from './small-cell.tsx'
import { PAGE } from './use-rows.ts'
import styles from './rows.module.css'

interface RowChooserProps {
  readonly target: NonNullable<ReturnType<typeof useRowLabel>>
  readonly title: string
  readonly isMultiple: boolean
  readonly onClose: () => void
  readonly onChoose: (rows: readonly Row[]) => void
}

/** All rows of a collection as a table, to choose one or several of them. */
export function RowChooser({ target, title, isMultiple, onClose, onChoose }: RowChooserProps) {
  const { collection, fields } = target
  const { collections } = useStart()
  const language = useLanguage()
  const relations = useQuery(relationsQuery).data
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const text = useDeferredValue(typed)
  const columns = useMemo(
    () => smallColumns(collection, fields, relations ?? [], collections, null),
    [collection, fields, relations, collections],
  )
  const paths = [...new Set([...collection.key, ...columns.flatMap((each) => each.paths), ...target.label.paths])]
  const found = useQuery({
    queryKey: ['items', collection.collection, 'choose', paths, text, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await readItems(
          collection,
          { fields: paths, ...searchQuery(collection, text), limit: PAGE + 1, offset: page * PAGE },
          signal,
        )
      ).data,
  })
  const rows = found.data?.slice(0, PAGE) ?? []
  const hasMore = (found.data?.length ?? 0) > PAGE
  const toggle = (key: string, row: Row) => {
    const next = new Map(isMultiple ? chosen : [])
    if (chosen.has(key)) next.delete(key)
    else next.set(key, row)
    setChosen(next)
  }
  return (
    <Dialog
      isOpen
      kind="wide"
      title={title}
      onClose={onClose}
      actions={
        <>
          <span className={styles['count']}>
            <Button
              kind="quiet"
              icon="chevron-left"
              aria-label="Previous page"
              disabled={page === 0}
              onClick={() => setPage(page - 1)}
            />
            Page {page + 1}
            <Button
              kind="quiet"
              icon="chevron-right"
              aria-label="Next page"
              disabled={!hasMore}
              onClick={() => setPage(page + 1)}
            />
          </span>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="solid" disabled={chosen.size === 0} onClick={() => onChoose([...chosen.values()])}>
            {isMultiple && chosen.size > 0 ? `Add ${chosen.size}` : isMultiple ? 'Add' : 'Choose'}
          </Button>
        </>
      }
    >
      <Input
        icon="search"
        aria-label={`Search ${collectionLabel(collection)}`}
        placeholder={`Search ${collectionLabel(collection).toLowerCase()}`}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setPage(0)
        }}
      />
      {found.error === null ? null : <Failure error={found.error} onRetry={() => void found.refetch()} />}
      <div
        className={[styles['scroll'], styles['chooser']].join(' ')}
        tabIndex={0}
        role="region"
        aria-label={collectionLabel(collection)}
        aria-busy={found.isFetching}
      >
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Chosen</span>
              </th>
              {columns.map(({ field }) => (
                <th key={field.field} scope="col">
                  {fieldLabel(field, language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const key = keyOf(collection, row) ?? ''
              const name = target.label.title(row)
              return (
                <tr key={key} data-state={chosen.has(key) ? 'linked' : 'kept'} onClick={() => toggle(key, row)}>
                  <td className={styles['mark']}>
                    <input
                      type={isMultiple ? 'checkbox' : 'radio'}
                      aria-label={`${name} (${key})`}
                      checked={chosen.has(key)}
                      onChange={() => toggle(key, row)}
                      onClick={(event) => event.stopPropagation()}
                    />
                  </td>
                  {columns.map((column) => (
                    <td key={column.field.field}>
                      <SmallCell column={column} row={row} />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {found.data?.length === 0 ? <p className={styles['empty']}>Nothing matches.</p> : null}
    </Dialog>
  )
}
