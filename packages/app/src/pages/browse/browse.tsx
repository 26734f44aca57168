import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useSignal } from '../../api/use-signal.ts'
import { Failure } from '../../app/faces.tsx'
import { condition, parseFilter, toFilter, withCondition } from '../../filter/tree.ts'
import { Grid } from '../../grid/grid.tsx'
import { noSelection, type Selection } from '../../grid/selection.ts'
import type { RowSource } from '../../grid/source.ts'
import { collectionLabel, may, whyReadOnly, type Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { browseRoute, itemRoute, keyOf, type Row } from '../../model/key.ts'
import { listPlace } from '../../model/neighbours.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice, Skeleton } from '../../ui/feedback.tsx'
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
import { rowHeights, sortedBy } from './view-state.ts'
import styles from './browse.module.css'

const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))
const Cards = lazy(async () => ({ default: (await import('./cards.tsx')).Cards }))
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
  const refresh = () => source?.reload()
  useBrowseCommands(refresh)
  const open = (row: Row) => {
    const key = keyOf(collection, row)
    if (key === null) {
      setPeeked(row)
      return
    }
    if (source !== null) sessionStorage.setItem(listPlace(collection.collection), JSON.stringify(source.loadedKeys()))
    go(itemRoute(collection.collection, key))
  }
  const rows =
    source === null ? null : isNarrow ? (
      <Cards source={source} columns={columns} onOpen={open} label={collectionLabel(collection)} />
    ) : (
      <Grid
        source={source}
        columns={columns}
        rowHeight={rowHeights[view.state.rows]}
        sort={view.state.sort}
        onSort={(path, isAdded) => view.change({ sort: sortedBy(view.state.sort, path, isAdded) })}
        onOpen={open}
        onPeek={setPeeked}
        onResize={(path, width) => view.change({ fields: resized(view, path, width) }, { isContinued: true })}
        selection={selection}
        onSelect={setSelection}
        label={collectionLabel(collection)}
        isEditable={may(collection, 'update') && !isViewedAs}
        onQuickFilter={(path, value, isExcluded) => view.change({ filter: quickFilter(view, path, value, isExcluded) })}
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
      {peeked === null ? null : (
        <Suspense fallback={null}>
          <Peek collection={collection} fields={fields} row={peeked} onOpen={open} onClose={() => setPeeked(null)} />
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
  const isNarrowed = view.state.filter !== null || view.state.search !== ''
  const clear = (
    <Button icon="x" onClick={() => view.change({ filter: null, search: '' })}>
      Clear filters
    </Button>
  )
  // Rows that are there stay; the grid says what could not be loaded.
  if (state === 'failed' && total === 0)
    return (
      <div className={styles['face']}>
        <Failure error={error} onRetry={source.reload} />
        {isNarrowed ? clear : null}
      </div>
    )
  if (state !== 'ready' || total > 0 || !isExact) return <>{children}</>
  if (isNarrowed)
    return (
      <Empty icon="filter" title="Nothing matches" actions={clear}>
        No row meets the filter and the search of this view.
      </Empty>
    )
  const whyNot = whyNoNew(collection)
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
