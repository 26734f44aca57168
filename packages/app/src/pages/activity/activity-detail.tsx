import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { collectionWords } from '../../access/words.ts'
import { nameOfUser, useStart } from '../../app/use-start.ts'
import { collectionLabel, type Collection } from '../../model/collection.ts'
import { plainText } from '../../model/plain-text.ts'
import { itemRoute } from '../../model/key.ts'
import { titleOf } from '../../model/field.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { When } from '../../ui/when.tsx'
import { hasItem, revisionChanges, wordsOf, type Activity, type Revision } from './activity.ts'
import styles from './activity.module.css'

/** One entry of the activity, with what it changed. */
export function ActivityDetail({ activity, onClose }: { readonly activity: Activity; readonly onClose: () => void }) {
  const { collections } = useStart()
  const collection = collections.find((each) => each.collection === activity.collection)
  const label =
    collection === undefined || collection.system === true
      ? collectionWords(activity.collection)
      : collectionLabel(collection)
  const who = activity.user === null ? 'The public' : nameOfUser(activity.user)
  const { verb } = wordsOf(activity.action)
  const target = linkOf(activity, collection)
  return (
    <Dialog
      isOpen
      kind="drawer"
      title={`${who} ${verb}${hasItem(activity) ? ` ${label} ${activity.item}` : ''}`}
      onClose={onClose}
    >
      <div className={styles['detail']}>
        <dl className={styles['facts']}>
          <dt>When</dt>
          <dd>
            <When at={activity.timestamp} isExact />
          </dd>
          <dt>IP address</dt>
          <dd>{activity.ip ?? 'not known'}</dd>
          <dt>Client</dt>
          <dd>{activity.user_agent ?? 'not known'}</dd>
          {activity.origin === null ? null : (
            <>
              <dt>Origin</dt>
              <dd>{activity.origin}</dd>
            </>
          )}
        </dl>
        {target === null ? null : (
          <Link href={target} className={styles['open']}>
            <Icon name="arrow-up-right" size={15} />
            Open the item
          </Link>
        )}
        {hasItem(activity) ? <Changes activity={activity} /> : null}
      </div>
    </Dialog>
  )
}

/** Where the item is shown; null: it is gone, or has no page. */
function linkOf({ action, collection: name, item }: Activity, collection: Collection | undefined): string | null {
  if (action === 'delete' || action === 'login' || action === 'logout') return null
  if (name === 'service_users') return `/users/${item}`
  if (name === 'service_policies') return `/access/policies/${item}`
  return collection === undefined || collection.system === true ? null : itemRoute(name, item)
}

function Changes({ activity }: { readonly activity: Activity }) {
  const { data, error } = useQuery({
    queryKey: ['items', 'service_revisions', activity.id],
    queryFn: async ({ signal }) => {
      const read = async (filter: unknown) =>
        (
          await request<readonly Revision[]>('SEARCH', '/revisions', {
            body: { query: { fields: ['id', 'data', 'delta'], filter, sort: ['-id'], limit: 1 } },
            signal,
          })
        ).data[0] ?? null
      const own = await read({ activity: { _eq: activity.id } })
      const earlier = await read({
        _and: [
          { collection: { _eq: activity.collection } },
          { item: { _eq: activity.item } },
          { activity: { _lt: activity.id } },
        ],
      })
      return { own, earlier }
    },
  })
  if (error !== null)
    return (
      <Notice tone="info" title="The values cannot be shown">
        {messageOf(error)}
      </Notice>
    )
  if (data === undefined) return <Skeleton lines={4} />
  const revision = data.own ?? (activity.action === 'delete' ? data.earlier : null)
  if (revision === null) return <p className={styles['none']}>No values were recorded for this.</p>
  const changes = revisionChanges(activity.action, revision, data.earlier)
  return (
    <table className={styles['diff']} aria-label="Changed values">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row" title={field}>
              {titleOf(field)}
            </th>
            <td data-kind={before === undefined ? undefined : 'before'}>
              <Value value={before} />
            </td>
            <td data-kind={after === undefined ? undefined : 'after'}>
              <Value value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LONG = 400

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className={styles['none']}>–</span>
  if (value === null) return <code>NULL</code>
  const text = plainText(value)
  return <>{text === '' ? '""' : text.length > LONG ? `${text.slice(0, LONG)}…` : text}</>
}
