import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ApiError, StoppedError } from '../../api/api-error.ts'
import { useSignal } from '../../api/use-signal.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { Failure } from '../../app/faces.tsx'
import { rowHeights } from '../../app/row-height.ts'
import { condition, parseFilter, toFilter, withCondition } from '../../filter/tree.ts'
import type { Column } from '../../grid/column.ts'
import { Grid } from '../../grid/grid.tsx'
import { noSelection, type Selection } from '../../grid/selection.ts'
import type { RowSource } from '../../grid/source.ts'
import { collectionLabel, may, whyReadOnly, type Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { filteredListRoute } from '../../model/filtered-list.ts'
import { browseRoute, itemRoute, keyOf, type Row } from '../../model/key.ts'
import { listPlace } from '../../model/neighbours.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice, Skeleton, Waiting } from '../../ui/feedback.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { iconOf } from './collection-icon.ts'
import { HeadActions, whyNoNew } from './head-actions.tsx'
import type { Preset } from './saved-views.ts'
import { StatusBar } from './status-bar.tsx'
import { Toolbar } from './toolbar.tsx'
import { useBrowseCommands } from './use-browse-commands.ts'
import { useColumns } from './use-columns.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useSource } from './use-source.ts'
import { useView, type View } from './use-view.ts'
import { ViewTabs } from './view-tabs.tsx'
import { sortedBy, type ShownField } from './view-state.ts'
import styles from './browse.module.css'

const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))
const Cards = lazy(async () => ({ default: (await import('./cards.tsx')).Cards }))
const Groups = lazy(async () => ({ default: (await import('./groups.tsx')).Groups }))
const Peek = lazy(async () => ({ default: (await import('./peek.tsx')).Peek }))

interface BrowseProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly presets: readonly Preset[]
}

/** A list in the view of the address. */
export function Browse({ collection, fields, presets }: BrowseProps) {
  const view = useView(collection, fields, presets)
  const columns = useColumns(collection, fields, view.state.fields)
  const source = useSource(collection, columns, view.state)
  const [selection, setSelection] = useState<Selection>(noSelection)
  const [peeked, setPeeked] = useState<Row | null>(null)
  const [, go] = useLocation()
  const isViewedAs = useSignal('viewedAs') !== null
  const isNarrow = useIsNarrow()
  const rowsKey = JSON.stringify([view.state.filter, view.state.search])
  useEffect(() => setSelection(noSelection), [rowsKey])
  const [refreshed, setRefreshed] = useState(0)
  const refresh = () => {
    source?.reload()
    setRefreshed((times) => times + 1)
  }
  const group = useColumns(
    collection,
    fields,
    useMemo(() => groupFields(view.state.group), [view.state.group]),
  )[0]
  useBrowseCommands(refresh)
  const openFrom = (of: RowSource) => (row: Row) => {
    const key = keyOf(collection, row)
    if (key === null) {
      setPeeked(row)
      return
    }
    sessionStorage.setItem(listPlace(collection.collection), JSON.stringify(of.loadedKeys()))
    go(itemRoute(collection.collection, key))
  }
  const grid = (of: RowSource, label: string) => (
    <Grid
      source={of}
      columns={columns}
      rowHeight={rowHeights[view.state.rows]}
      sort={view.state.sort}
      onSort={(path, isAdded) => view.change({ sort: sortedBy(view.state.sort, path, isAdded) })}
      onOpen={openFrom(of)}
      onPeek={setPeeked}
      onList={(column, row) => go(countedRoute(collection, column, row))}
      onResize={(path, width) => view.change({ fields: resized(view, path, width) }, { isContinued: true })}
      selection={selection}
      onSelect={setSelection}
      label={label}
      isEditable={may(collection, 'update') && !isViewedAs}
      onQuickFilter={(path, value, isExcluded) => view.change({ filter: quickFilter(view, path, value, isExcluded) })}
    />
  )
  const rows =
    source === null ? null : isNarrow ? (
      <Cards source={source} columns={columns} onOpen={openFrom(source)} label={collectionLabel(collection)} />
    ) : group === undefined ? (
      grid(source, collectionLabel(collection))
    ) : (
      <Groups
        key={`${group.path} ${refreshed}`}
        collection={collection}
        column={group}
        columns={columns}
        state={view.state}
        rowHeight={rowHeights[view.state.rows]}
        rows={grid}
      />
    )
  const count = selection.isAll ? 1 : selection.keys.size
  return (
    <>
      <PageHead
        icon={iconOf(collection)}
        title={collectionLabel(collection)}
        note={collection.note}
        actions={<HeadActions collection={collection} query={source?.query ?? null} />}
      />
      <ViewTabs collection={collection.collection} presets={presets} view={view} />
      <Toolbar collection={collection} fields={fields} view={view} onRefresh={refresh} />
      <ReadOnlyReason collection={collection} />
      <div className={styles['rows']}>
        {source === null ? null : (
          <RowsOrFace source={source} collection={collection} view={view}>
            <Suspense fallback={<Skeleton lines={8} />}>{rows}</Suspense>
          </RowsOrFace>
        )}
        {source === null || count === 0 ? null : (
          <Suspense fallback={null}>
            <SelectionBar
              collection={collection}
              fields={fields}
              columns={columns}
              source={source}
              selection={selection}
              onSelect={setSelection}
            />
          </Suspense>
        )}
      </div>
      {source === null ? null : <StatusBar source={source} />}
      {peeked === null || source === null ? null : (
        <Suspense fallback={null}>
          <Peek
            collection={collection}
            fields={fields}
            row={peeked}
            onOpen={openFrom(source)}
            onClose={() => setPeeked(null)}
          />
        </Suspense>
      )}
    </>
  )
}

function ReadOnlyReason({ collection }: { readonly collection: Collection }) {
  const reason = whyReadOnly(collection)
  if (reason === null) return null
  return (
    <div className={styles['reason']}>
      <Notice>{reason}</Notice>
    </div>
  )
}

interface RowsOrFaceProps {
  readonly source: RowSource
  readonly collection: Collection
  readonly view: View
  readonly children: ReactNode
}

/** The rows, or why there are none. */
function RowsOrFace({ source, collection, view, children }: RowsOrFaceProps) {
  const { state, error, total, isExact } = useSyncExternalStore(source.subscribe, source.snapshot)
  const whyNot = useWhyNot() ?? whyNoNew(collection)
  const isNarrowed = view.state.filter !== null || view.state.search !== ''
  const clear = (
    <Button icon="x" onClick={() => view.change({ filter: null, search: '' })}>
      Clear filters
    </Button>
  )
  const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 403)
  // Rows that are there stay; the grid says what could not be loaded.
  if (state === 'failed' && total === 0)
    return (
      <div className={styles['face']}>
        <Failure
          error={error}
          onRetry={source.reload}
          actions={
            view.isChanged && isRefused ? (
              <Button icon="undo-2" onClick={view.reset}>
                Reset the view
              </Button>
            ) : undefined
          }
        />
      </div>
    )
  if (state === 'loading')
    return (
      <>
        {children}
        <div className={styles['waiting']}>
          <Waiting onStop={() => source.stop(new StoppedError())}>
            Reading the rows of {collectionLabel(collection)}…
          </Waiting>
        </div>
      </>
    )
  if (state !== 'ready' || total > 0 || !isExact) return <>{children}</>
  if (isNarrowed)
    return (
      <Empty icon="filter" title="Nothing matches" actions={clear}>
        No row meets the filter and the search of this view.
      </Empty>
    )
  return (
    <Empty
      icon={iconOf(collection)}
      title="No rows yet"
      actions={
        whyNot === null ? (
          <Button kind="solid" icon="plus" onClick={() => view.go(`${browseRoute(collection.collection)}/+`)}>
            Create the first one
          </Button>
        ) : undefined
      }
    >
      {whyNot ?? 'Rows appear here as soon as there are any.'}
    </Empty>
  )
}

/** The list of the rows that a count stands for. */
function countedRoute(collection: Collection, { counted }: Column, row: Row): string {
  if (counted === undefined) return browseRoute(collection.collection)
  const value = row[collection.key[0] ?? '']
  // a key that is a reference arrives with the words of its row
  const key = typeof value === 'object' ? keyOf(collection, row) : value
  return filteredListRoute(counted.collection, { [counted.field]: { _eq: key } })
}

const groupFields = (path: string | null): readonly ShownField[] => (path === null ? [] : [{ path, width: null }])

const resized = ({ state }: View, path: string, width: number) =>
  state.fields.map((each) => (each.path === path ? { path, width: Math.round(width) } : each))

/** What a view shows after "only this" or "not this" on a cell. */
function quickFilter({ state }: View, path: string, value: unknown, isExcluded: boolean) {
  const key = typeof value === 'object' && value !== null ? (Object.values(value)[0] as unknown) : value
  const added =
    key === null || key === undefined
      ? condition(path, isExcluded ? '_nnull' : '_null', true)
      : condition(path, isExcluded ? '_neq' : '_eq', key)
  return toFilter(withCondition(parseFilter(state.filter), added))
}
