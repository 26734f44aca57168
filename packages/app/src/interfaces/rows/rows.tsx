import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { relationsQuery } from '../../api/queries.ts'
import { useCollection, useStart } from '../../app/use-start.ts'
import { Failure } from '../../app/faces.tsx'
import { DEEPEST, useForm } from '../../form/form-context.ts'
import {
  isRemoved,
  listPatchOf,
  restageCreate,
  stageCreate,
  stageLink,
  stageRemove,
  stageUpdate,
  stateOf,
  unstageCreate,
  unstageRemove,
  unstageUpdate,
  updateOf,
  type ListPatch,
} from '../../form/list-patch.ts'
import { useRowLabel } from '../../form/use-row-label.ts'
import { collectionLabel, may, whyReadOnly, type Collection } from '../../model/collection.ts'
import { keyOf, type Row } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import type { InterfaceProps } from '../interface.ts'
import { smallColumns } from './columns.ts'
import { removalOf } from './removal.ts'
import { RowsTable, type ShownRow } from './rows-table.tsx'
import { PAGE, useRows, useRowsByKey } from './use-rows.ts'
import styles from './rows.module.css'

const NestedDrawer = lazy(async () => ({ default: (await import('../../form/nested-drawer.tsx')).NestedDrawer }))
const RowChooser = lazy(async () => ({ default: (await import('./row-chooser.tsx')).RowChooser }))

type Work =
  | { readonly kind: 'new' }
  | { readonly kind: 'created'; readonly index: number }
  | { readonly kind: 'row'; readonly key: string; readonly row: Row }
  | { readonly kind: 'choose' }

/** A list of related rows: what is done to them is staged, and saved with the row that has the list. */
export function RowsInput(props: InterfaceProps) {
  const { relation } = props
  const target = useRowLabel(relation?.kind === 'o2m' || relation?.kind === 'm2m' ? relation.to : '')
  const parent = useCollection(props.parent?.collection ?? '')
  if (target === null || parent === undefined) return <Skeleton lines={2} />
  return <Rows {...props} target={target} owner={parent} />
}

interface RowsProps extends InterfaceProps {
  readonly target: NonNullable<ReturnType<typeof useRowLabel>>
  readonly owner: Collection
}

function Rows({ field, label, value, onChange, whyLocked, relation, parent, target, owner }: RowsProps) {
  const { depth } = useForm()
  const { collections } = useStart()
  const relations = useQuery(relationsQuery).data
  const [page, setPage] = useState(0)
  const [work, setWork] = useState<Work | null>(null)
  const { collection, fields } = target
  const back = relation?.kind === 'o2m' ? relation.relation.field : null
  const columns = useMemo(
    () => smallColumns(collection, fields, relations ?? [], collections, back),
    [collection, fields, relations, collections, back],
  )
  const paths = useMemo(
    () => [...new Set([...collection.key, ...columns.flatMap((each) => each.paths), ...target.label.paths])],
    [collection.key, columns, target.label.paths],
  )
  const patch = listPatchOf(value)
  const set = (next: ListPatch) => onChange(next)
  const { data, error, refetch } = useRows(owner, parent?.key ?? null, field.field, paths, page)
  const stored = data?.rows ?? []
  const storedKeys = new Set(stored.map((row) => keyOf(collection, row)))
  const elsewhere = patch.update
    .map((row) => keyOf(collection, row))
    .filter((key): key is string => key !== null && !storedKeys.has(key))
  const others = useRowsByKey(collection, elsewhere, paths).data ?? []
  const isLinked = (key: string): boolean => !storedKeys.has(key)
  const removal = removalOf(relation, fields)
  const isTooDeep = depth >= DEEPEST
  const whyNotNew =
    whyLocked ??
    whyReadOnly(collection) ??
    (isTooDeep
      ? 'Drawers open three deep. Save first.'
      : may(collection, 'create')
        ? null
        : `You may not create items in ${collectionLabel(collection)}.`)

  const shown: readonly ShownRow[] = [
    ...patch.create.map((row, index): ShownRow => ({ id: `new-${index}`, row, state: 'created', key: null, index })),
    ...elsewhere.map((key): ShownRow => {
      const row = others.find((each) => keyOf(collection, each) === key) ?? {}
      return {
        id: key,
        key,
        row: { ...row, ...updateOf(patch, collection, key) },
        state: stateOf(patch, collection, key),
        index: null,
      }
    }),
    ...stored.map((row): ShownRow => {
      const key = keyOf(collection, row) ?? ''
      return {
        id: key,
        key,
        row: { ...row, ...updateOf(patch, collection, key) },
        state: stateOf(patch, collection, key),
        index: null,
      }
    }),
  ]
  const total =
    (data?.count ?? 0) +
    patch.create.length +
    elsewhere.filter((key) => stateOf(patch, collection, key) === 'linked').length
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles['rows']} role="group" aria-label={label}>
      <RowsTable
        label={label}
        collection={collection}
        columns={columns}
        rows={shown}
        titleOf={target.label.title}
        isLocked={whyLocked !== null}
        whyNotEdit={isTooDeep ? 'Drawers open three deep. Save first.' : null}
        removal={removal}
        isLoading={parent?.key !== null && data === undefined}
        onEdit={({ key, index, row }) =>
          setWork(index === null ? { kind: 'row', key: key ?? '', row } : { kind: 'created', index })
        }
        onRemove={({ key, index, row }) => {
          if (index !== null) set(unstageCreate(patch, index))
          else if (key !== null && !storedKeys.has(key)) set(unstageUpdate(patch, collection, key))
          else set(stageRemove(patch, collection, row))
        }}
        onUndo={({ key }) => {
          if (key === null) return
          set(
            isRemoved(patch, collection, key)
              ? unstageRemove(patch, collection, key)
              : unstageUpdate(patch, collection, key),
          )
        }}
      />
      <div className={styles['foot']}>
        <Button
          kind="quiet"
          icon="plus"
          disabled={whyNotNew !== null}
          title={whyNotNew ?? undefined}
          aria-label={`New in ${label}`}
          onClick={() => setWork({ kind: 'new' })}
        >
          New
        </Button>
        <Button
          kind="quiet"
          icon="link"
          disabled={whyLocked !== null}
          title={whyLocked ?? undefined}
          aria-label={`Add existing to ${label}`}
          onClick={() => setWork({ kind: 'choose' })}
        >
          Add existing
        </Button>
        <WillBeSaved patch={patch} removal={removal.kind} />
        <Pager page={page} count={data?.count ?? 0} label={label} total={total} onPage={setPage} />
      </div>
      <Suspense fallback={null}>
        {work?.kind === 'new' || work?.kind === 'created' ? (
          <NestedDrawer
            collection={collection}
            itemKey={null}
            patch={work.kind === 'created' ? (patch.create[work.index] ?? {}) : {}}
            omit={back}
            title={`New in ${label}`}
            onClose={() => setWork(null)}
            onDone={(row) => {
              set(work.kind === 'created' ? restageCreate(patch, work.index, row) : stageCreate(patch, row))
              setWork(null)
            }}
          />
        ) : null}
        {work?.kind === 'row' ? (
          <NestedDrawer
            collection={collection}
            itemKey={work.key}
            patch={updateOf(patch, collection, work.key) ?? {}}
            omit={back}
            title={target.label.title(work.row)}
            onClose={() => setWork(null)}
            onDone={(changes) => {
              set(stageUpdate(patch, collection, work.row, changes, isLinked(work.key)))
              setWork(null)
            }}
          />
        ) : null}
        {work?.kind === 'choose' ? (
          <RowChooser
            target={target}
            title={`Add existing to ${label}`}
            isMultiple
            onClose={() => setWork(null)}
            onChoose={(chosen) => {
              set(
                chosen
                  .filter((row) => {
                    const key = keyOf(collection, row)
                    return key !== null && (!storedKeys.has(key) || isRemoved(patch, collection, key))
                  })
                  .reduce((sum, row) => stageLink(sum, collection, row), patch),
              )
              setWork(null)
            }}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

const words = { delete: 'deleted', unlink: 'unlinked', none: 'removed' } as const

/** What saving will do to the list, in words. */
function WillBeSaved({ patch, removal }: { readonly patch: ListPatch; readonly removal: keyof typeof words }) {
  const linked = patch.update.filter((row) => Object.keys(row).length > 0)
  const parts = [
    patch.create.length === 0 ? '' : `${patch.create.length} created`,
    linked.length === 0 ? '' : `${linked.length} added or changed`,
    patch.delete.length === 0 ? '' : `${patch.delete.length} ${words[removal]}`,
  ].filter((part) => part !== '')
  return (
    <span className={styles['summary']} role="status">
      {parts.length === 0 ? '' : `Will be saved: ${parts.join(', ')}`}
    </span>
  )
}

interface PagerProps {
  readonly page: number
  readonly count: number
  readonly total: number
  readonly label: string
  readonly onPage: (page: number) => void
}

function Pager({ page, count, total, label, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(count / PAGE))
  if (pages === 1) return <span className={styles['count']}>{total === 1 ? '1 row' : `${total} rows`}</span>
  return (
    <span className={styles['count']}>
      {page * PAGE + 1}–{Math.min(count, (page + 1) * PAGE)} of {count}
      <Button
        kind="quiet"
        icon="chevron-left"
        aria-label={`Previous page of ${label}`}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        kind="quiet"
        icon="chevron-right"
        aria-label={`Next page of ${label}`}
        disabled={page >= pages - 1}
        onClick={() => onPage(page + 1)}
      />
    </span>
  )
}
