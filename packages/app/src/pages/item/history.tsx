import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readItems } from '../../api/items.ts'
import { nameOfUser, useCollection, useLanguage } from '../../app/use-start.ts'
import { Failure } from '../../app/faces.tsx'
import { Value } from '../../displays/value.tsx'
import type { DraftStore } from '../../form/draft-store.ts'
import { whyLocked, type FormRights } from '../../form/locks.ts'
import { may, type Collection } from '../../model/collection.ts'
import { fieldLabel, type Field } from '../../model/field.ts'
import type { Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/chip.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RevisionDialog } from './revision-dialog.tsx'
import { authorOf, verbOf, type Revision } from './revision.ts'
import styles from './panel.module.css'

const revisions = { collection: 'service_revisions', system: true }
const PAGE = 20

interface HistoryProps {
  readonly collection: Collection
  readonly itemKey: string
  readonly fields: readonly Field[]
  readonly row: Row
  readonly store: DraftStore
  readonly rights: FormRights
  readonly onReload: () => void
}

/** Who changed what, and when. A value can be taken back into the draft, or the whole row restored. */
export function History({ collection, itemKey, fields, row, store, rights, onReload }: HistoryProps) {
  const source = useCollection('service_revisions')
  const mayRead = source !== undefined && may(source, 'read')
  const [limit, setLimit] = useState(PAGE)
  const [opened, setOpened] = useState<Revision | null>(null)
  const found = useQuery({
    queryKey: ['revisions', collection.collection, itemKey, limit],
    staleTime: 0,
    enabled: mayRead,
    queryFn: async ({ signal }) =>
      (
        await readItems(
          revisions,
          {
            fields: [
              'id',
              'data',
              'delta',
              'activity.action',
              'activity.timestamp',
              'activity.user.id',
              'activity.user.first_name',
              'activity.user.last_name',
              'activity.user.email',
            ],
            filter: { _and: [{ collection: { _eq: collection.collection } }, { item: { _eq: itemKey } }] },
            sort: ['-id'],
            limit: limit + 1,
          },
          signal,
        )
      ).data as readonly unknown[] as readonly Revision[],
  })
  if (!mayRead) return <p className={styles['none']}>You may not read who changed items. Ask an administrator.</p>
  if (found.error !== null) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton lines={5} />
  const shown = found.data.slice(0, limit)
  const hasCreation = shown.some(({ activity }) => activity?.action === 'create')
  return (
    <>
      <ol className={styles['entries']}>
        {shown.map((revision) => (
          <Entry
            key={revision.id}
            revision={revision}
            fields={fields}
            store={store}
            rights={rights}
            onOpen={() => setOpened(revision)}
          />
        ))}
      </ol>
      {found.data.length > limit ? (
        <Button kind="quiet" onClick={() => setLimit(limit + PAGE)}>
          Show older changes
        </Button>
      ) : hasCreation ? null : (
        <p className={styles['outside']}>
          <Icon name="circle" size={9} />
          {shown.length === 0 ? 'No change was made through Tain yet.' : 'Earlier changes were made outside Tain.'}
        </p>
      )}
      {opened === null ? null : (
        <RevisionDialog
          revision={opened}
          revisions={shown}
          row={row}
          fields={fields}
          whyLocked={rights.mayWrite && !rights.isViewedAs ? null : 'You may not change this item.'}
          onClose={() => setOpened(null)}
          onRestored={() => {
            setOpened(null)
            store.discardAll()
            onReload()
            void found.refetch()
            toast('Restored.', { tone: 'good' })
          }}
        />
      )}
    </>
  )
}

interface EntryProps {
  readonly revision: Revision
  readonly fields: readonly Field[]
  readonly store: DraftStore
  readonly rights: FormRights
  readonly onOpen: () => void
}

const MOST = 6

function Entry({ revision, fields, store, rights, onOpen }: EntryProps) {
  const language = useLanguage()
  const name = nameOfUser(authorOf(revision))
  const at = revision.activity?.timestamp
  const changed = revision.activity?.action === 'create' ? [] : Object.entries(revision.delta ?? {})
  return (
    <li className={styles['entry']}>
      <Avatar name={name} size={22} />
      <div className={styles['what']}>
        <p className={styles['who']}>
          <strong>{name}</strong> {verbOf(revision)}{' '}
          {at === undefined ? null : (
            <time dateTime={at} title={new Date(at).toLocaleString(language)}>
              {shortTime(at, language)}
            </time>
          )}
        </p>
        {changed.slice(0, MOST).map(([field, value]) => {
          const known = fields.find((each) => each.field === field)
          const why = known === undefined ? 'The field is gone.' : whyLocked(known, rights)
          return (
            <p key={field} className={styles['change']}>
              <code title={known === undefined ? field : fieldLabel(known, language)}>{field}</code>
              <Icon name="chevron-right" size={11} />
              <span className={styles['value']}>
                {value === null ? (
                  <code>NULL</code>
                ) : known === undefined ? (
                  plainText(value)
                ) : (
                  <Value value={value} field={known} />
                )}
              </span>
              {why === null ? (
                <IconButton
                  className={styles['take'] ?? ''}
                  icon="rotate-ccw"
                  size={12}
                  label={`Take this value of ${known === undefined ? field : fieldLabel(known, language)} into the form`}
                  onClick={() => store.change(field, value)}
                />
              ) : null}
            </p>
          )
        })}
        {changed.length > MOST ? <p className={styles['more']}>and {changed.length - MOST} more</p> : null}
      </div>
      <IconButton
        icon="git-compare"
        size={14}
        label={`Compare the version of ${at === undefined ? revision.id : shortTime(at, language)}`}
        onClick={onOpen}
      />
    </li>
  )
}

function shortTime(at: string, language: string): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(language, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' }).format(date)
}
