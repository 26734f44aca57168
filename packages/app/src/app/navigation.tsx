import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { fieldsQuery } from '../api/queries.ts'
import { browsable, collectionLabel, inOrder, type Collection } from '../model/collection.ts'
import { browseRoute } from '../model/key.ts'
import { Icon } from '../ui/icon.tsx'
import { Input } from '../ui/input.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { openPalette } from './palette-state.ts'
import { queryClient } from './query-client.ts'
import { sideLinks, type ModuleName } from './routes.ts'
import { useIsAdministrator, useStart } from './use-start.ts'
import { useWindow } from './use-window.ts'
import styles from './navigation.module.css'

/** Above this, the list can be filtered where it stands. */
const FEW = 20
const ROW = 30

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** The list at the side: the collections, or the pages of a module. */
export function Navigation({ module }: { readonly module: ModuleName }) {
  const { project } = useStart()
  const name = (project as { project_name?: unknown }).project_name
  const descriptor = (project as { project_descriptor?: unknown }).project_descriptor
  return (
    <nav className={styles['navigation']} aria-label={module === 'content' ? 'Collections' : module}>
      <div className={styles['project']}>
        <strong>{typeof name === 'string' ? name : 'Tain'}</strong>
        {typeof descriptor === 'string' && descriptor !== '' ? (
          <span className={styles['environment']}>{descriptor}</span>
        ) : null}
      </div>
      <button type="button" className={styles['search']} onClick={openPalette}>
        <Icon name="search" size={15} />
        <span dir="auto">Search or jump to…</span>
        <Kbd keys="⌘K" />
      </button>
      {module === 'content' ? <Collections /> : <SideLinks module={module} />}
    </nav>
  )
}

function SideLinks({ module }: { readonly module: Exclude<ModuleName, 'content'> }) {
  const [path] = useLocation()
  const isAdministrator = useIsAdministrator()
  return (
    <ul className={styles['list']}>
      {sideLinks[module].map(({ path: to, label, icon, audience }) =>
        audience === 'administrators' && !isAdministrator ? null : (
          <li key={to}>
            <Link href={to} className={styles['link']} aria-current={path.startsWith(to) ? 'page' : undefined}>
              <Icon name={icon} size={15} />
              <span className={styles['name']}>{label}</span>
            </Link>
          </li>
        ),
      )}
    </ul>
  )
}

function Collections() {
  const { collections } = useStart()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed).trim().toLowerCase()
  const all = useMemo(() => inOrder(browsable(collections)), [collections])
  const names = useMemo(() => all.map((each) => `${each.collection}\n${collectionLabel(each)}`.toLowerCase()), [all])
  const found = useMemo(
    () => (text === '' ? all : all.filter((_, at) => names[at]?.includes(text) === true)),
    [all, names, text],
  )
  const { ref, first, last, before, after } = useWindow(found.length, ROW)
  return (
    <>
      <div className={styles['head']}>
        <span>Collections</span>
        <span>{all.length}</span>
      </div>
      {all.length > FEW ? (
        <Input
          className={styles['filter'] ?? ''}
          aria-label="Filter collections"
          placeholder="Filter"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      ) : null}
      <div className={styles['scroll']} ref={ref}>
        <ul className={styles['list']} style={{ paddingBlockStart: before, paddingBlockEnd: after }}>
          {found.slice(first, last).map((each) => (
            <CollectionLink key={each.collection} collection={each} />
          ))}
        </ul>
        {found.length === 0 ? (
          <p className={styles['none']}>{all.length === 0 ? 'You may not read any collection.' : 'Nothing matches.'}</p>
        ) : null}
      </div>
    </>
  )
}

function CollectionLink({ collection }: { readonly collection: Collection }) {
  const [path] = useLocation()
  const to = browseRoute(collection.collection)
  const isCurrent = path === decodeURI(to) || path.startsWith(`${decodeURI(to)}/`)
  return (
    <li>
      <Link
        href={to}
        className={styles['link']}
        aria-current={isCurrent ? 'page' : undefined}
        title={collection.note ?? collection.collection}
        onPointerEnter={() => void queryClient.prefetchQuery(fieldsQuery(collection.collection))}
      >
        <Icon name={collection.kind === 'view' ? 'eye' : 'table-2'} size={15} />
        <span className={styles['name']} dir="auto">
          {collectionLabel(collection)}
        </span>
        {collection.estimated_rows === undefined ? null : <em>{compact.format(collection.estimated_rows)}</em>}
      </Link>
    </li>
  )
}
