import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { readItems } from '../../api/items.ts'
import { nameOfUser } from '../../app/use-start.ts'
import type { Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { When } from '../../ui/when.tsx'
import type { Entry } from './activity-query.ts'
import styles from './activity.module.css'

interface Revision {
  readonly id: number
  readonly data: Row | null
  readonly delta: Row | null
}

const revisions = { collection: 'service_revisions', system: true } as const

interface EntryDetailProps {
  readonly entry: Entry | null
  readonly onClose: () => void
}

/** One entry with what it changed. */
export const EntryDetail = ({ entry, onClose }: EntryDetailProps) => (
  <Dialog kind="drawer" title="What happened" isOpen={entry !== null} onClose={onClose}>
    {entry === null ? null : <Detail entry={entry} />}
  </Dialog>
)

function Detail({ entry }: { readonly entry: Entry }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['items', revisions.collection, 'activity', entry.id],
    queryFn: async ({ signal }) =>
      (await readItems(revisions, { fields: ['id', 'data', 'delta'], filter: { activity: { _eq: entry.id } } }, signal))
        .data as unknown as readonly Revision[],
  })
  return (
    <>
      <dl className={styles['facts']}>
        <dt>Who</dt>
        <dd>{entry.user === null ? 'Somebody' : nameOfUser(entry.user)}</dd>
        <dt>When</dt>
        <dd>
          <When at={entry.timestamp} isExact />
        </dd>
        <dt>Where</dt>
        <dd>
          <code>{entry.collection}</code> {entry.item}
        </dd>
        <dt>From</dt>
        <dd>{[entry.ip, entry.user_agent].filter((part) => part !== null).join(' · ') || 'unknown'}</dd>
      </dl>
      <h3 className={styles['subhead']}>Values after it</h3>
      {isPending ? <Skeleton lines={4} /> : null}
      {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
      {data?.length === 0 ? <p className={styles['quiet']}>No revision was kept for it.</p> : null}
      {data?.map((revision) => (
        <dl key={revision.id} className={styles['facts']}>
          {Object.entries(revision.delta ?? revision.data ?? {}).map(([name, value]) => (
            <Value key={name} name={name} value={value} />
          ))}
        </dl>
      ))}
    </>
  )
}

const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <dt>
      <code>{name}</code>
    </dt>
    <dd dir="auto">{value === null ? <code>NULL</code> : plainText(value)}</dd>
  </>
)
