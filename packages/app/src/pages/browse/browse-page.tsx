import { useSuspenseQueries } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo } from 'react'
import { Redirect } from 'wouter'
import { fieldsQuery } from '../../api/queries.ts'
import { useSignal } from '../../api/use-signal.ts'
import type { PageProps } from '../../app/routes.ts'
import { useCollection, useStart } from '../../app/use-start.ts'
import { collectionLabel, may, type Collection } from '../../model/collection.ts'
import { titleOf } from '../../model/field.ts'
import { itemRoute } from '../../model/key.ts'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { rememberCollection } from '../../model/last-collection.ts'
import { Browse } from './browse.tsx'
import { iconOf } from './collection-icon.ts'
import { HeadActions } from './head-actions.tsx'
import { nameIn } from './prepare.ts'
import { mayReadViews, presetsQuery } from './presets.ts'
import { viewsFor } from './saved-views.ts'
import { useViewer } from './use-viewer.ts'

export { prepare } from './prepare.ts'

/** The rows of a collection. */
export function BrowsePage({ params }: { readonly params: PageProps }) {
  const name = nameIn(params)
  const collection = useCollection(name)
  const isViewedAs = useSignal('viewedAs') !== null
  useEffect(() => {
    if (collection !== undefined && !isViewedAs) rememberCollection(name)
  }, [collection, name, isViewedAs])
  if (collection === undefined || collection.kind === 'folder')
    return (
      <>
        <PageHead icon="table-2" title={titleOf(name)} />
        <Empty icon="search" title={`There is no collection "${name}"`} isAlert>
          It may have been renamed or deleted, or you may not see it. Choose another one at the side.
        </Empty>
      </>
    )
  if (!may(collection, 'read'))
    return (
      <>
        <PageHead icon={iconOf(collection)} title={collectionLabel(collection)} note={collection.note} />
        <Empty icon="lock" title="You may not read this collection" isAlert>
          Ask an administrator for a policy that lets you read {collection.collection}.
        </Empty>
      </>
    )
  // The one row of a singleton has no key in its address.
  if (collection.singleton === true) return <Redirect replace to={itemRoute(name, '+')} />
  return (
    <Suspense key={name} fallback={<Opening collection={collection} />}>
      <Loaded collection={collection} />
    </Suspense>
  )
}

const Opening = ({ collection }: { readonly collection: Collection }) => (
  <>
    <PageHead
      icon={iconOf(collection)}
      title={collectionLabel(collection)}
      note={collection.note}
      actions={<HeadActions collection={collection} query={null} />}
    />
    <Skeleton lines={6} />
  </>
)

/** Fields and views are read together; rows follow. */
function Loaded({ collection }: { readonly collection: Collection }) {
  const mayRead = mayReadViews(useStart().collections)
  const [{ data: fields }, { data: presets }] = useSuspenseQueries({
    queries: [fieldsQuery(collection.collection), presetsQuery(collection.collection, mayRead)],
  })
  const viewer = useViewer()
  const shown = useMemo(() => viewsFor(presets, viewer), [presets, viewer])
  return <Browse collection={collection} fields={fields} presets={shown} />
}
