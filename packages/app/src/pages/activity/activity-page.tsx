import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { request } from '../../api/client.ts'
import { PersonPicker, type Caller } from '../../access/person-picker.tsx'
import { collectionWords } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { nameOfUser, useIsAdministrator, useStart } from '../../app/use-start.ts'
import { collectionLabel } from '../../model/collection.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/chip.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import {
  activityActions,
  activityFilter,
  activityWords,
  agentWords,
  hasItem,
  wordsOf,
  type Activity,
  type ActivityFilter,
} from './activity.ts'
import { ActivityDetail } from './activity-detail.tsx'
import styles from './activity.module.css'

const PAGE = 50
const FIELDS = [
  'id',
  'action',
  'timestamp',
  'ip',
  'user_agent',
  'origin',
  'collection',
  'item',
  'user.id',
  'user.first_name',
  'user.last_name',
  'user.email',
]

const useActivity = (filter: ActivityFilter) =>
  useInfiniteQuery({
    queryKey: ['items', 'service_activity', filter],
    initialPageParam: null as string | null,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => {
      const where = activityFilter(filter)
      const { data, meta } = await request<readonly Activity[]>('SEARCH', '/activity', {
        body: {
          query: {
            fields: FIELDS,
            sort: ['-id'],
            limit: PAGE,
            meta: ['cursor'],
            ...(where === null ? {} : { filter: where }),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        signal,
      })
      const next = meta['next_cursor']
      return { rows: data, next: typeof next === 'string' ? next : null }
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** Who did what, where and when. */
export function ActivityPage() {
  const [params, setParams] = useSearchParams()
  const filter: ActivityFilter = {
    user: params.get('user') ?? '',
    action: params.get('action') ?? '',
    collection: params.get('collection') ?? '',
    from: params.get('from') ?? '',
    to: params.get('to') ?? '',
  }
  const set = (part: Partial<ActivityFilter>) => {
    const next = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')
    setParams(new URLSearchParams(next), { replace: true })
  }
  const list = useActivity(filter)
  const [opened, setOpened] = useState<Activity | null>(null)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const isAdministrator = useIsAdministrator()
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      <PageHead
        icon="activity"
        title="Activity"
        note={isAdministrator ? undefined : 'what you may see of it'}
        actions={<IconButton icon="refresh-cw" label="Refresh" onClick={() => void list.refetch()} />}
      />
      <PageBody width="wide">
        <Filters filter={filter} onChange={set} isFiltered={isFiltered} />
        {list.error !== null ? (
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        ) : rows === undefined ? (
          <Skeleton lines={10} />
        ) : rows.length === 0 ? (
          <Empty icon="activity" title={isFiltered ? 'Nothing matches' : 'Nothing has happened yet'}>
            {isFiltered ? 'Change the filters.' : 'Changes and sign-ins appear here.'}
          </Empty>
        ) : (
          <>
            <Table label="Activity" heads={['Who', 'What', 'Where', 'When', 'From']}>
              {rows.map((row) => (
                <ActivityRow key={row.id} row={row} onOpen={() => setOpened(row)} />
              ))}
            </Table>
            {list.hasNextPage ? (
              <div className={styles['more']}>
                <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            ) : null}
          </>
        )}
      </PageBody>
      {opened === null ? null : <ActivityDetail activity={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

interface FiltersProps {
  readonly filter: ActivityFilter
  readonly onChange: (part: Partial<ActivityFilter>) => void
  readonly isFiltered: boolean
}

function Filters({ filter, onChange, isFiltered }: FiltersProps) {
  const { collections } = useStart()
  const isAdministrator = useIsAdministrator()
  const [person, setPerson] = useState<Caller | null>(null)
  const labels = collections
    .filter(({ kind }) => kind !== 'folder')
    .map((each) => ({
      value: each.collection,
      text: each.system === true ? `${collectionWords(each.collection)} (system)` : collectionLabel(each),
    }))
  return (
    <div className={styles['filters']}>
      {isAdministrator ? (
        <PersonPicker
          label="User"
          empty="Every user"
          chosen={filter.user === '' ? null : person}
          onChoose={(chosen) => {
            setPerson(chosen)
            onChange({ user: chosen === 'public' ? '' : chosen.id })
          }}
        />
      ) : null}
      <Select
        className={styles['choice'] ?? ''}
        aria-label="Action"
        value={filter.action}
        onChange={(event) => onChange({ action: event.target.value })}
        choices={[
          { value: '', text: 'Every action' },
          ...activityActions.map((value) => ({ value, text: activityWords[value].label })),
        ]}
      />
      <Select
        className={styles['choice'] ?? ''}
        aria-label="Collection"
        value={filter.collection}
        onChange={(event) => onChange({ collection: event.target.value })}
        choices={[{ value: '', text: 'Every collection' }, ...labels]}
      />
      <Input
        className={styles['day'] ?? ''}
        type="date"
        aria-label="From day"
        value={filter.from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Input
        className={styles['day'] ?? ''}
        type="date"
        aria-label="To day"
        value={filter.to}
        onChange={(event) => onChange({ to: event.target.value })}
      />
      {isFiltered ? (
        <Button
          kind="quiet"
          icon="x"
          onClick={() => onChange({ user: '', action: '', collection: '', from: '', to: '' })}
        >
          Clear
        </Button>
      ) : null}
    </div>
  )
}

function ActivityRow({ row, onOpen }: { readonly row: Activity; readonly onOpen: () => void }) {
  const { collections } = useStart()
  const found = collections.find(({ collection }) => collection === row.collection)
  const label = found === undefined || found.system === true ? collectionWords(row.collection) : collectionLabel(found)
  const name = row.user === null ? 'The public' : nameOfUser(row.user)
  const { verb, icon } = wordsOf(row.action)
  return (
    <tr>
      <td>
        <span className={styles['who']}>
          <Avatar name={name} size={22} />
          {name}
        </span>
      </td>
      <td>
        <button
          type="button"
          className={styles['what']}
          aria-label={`${verb}${hasItem(row) ? ` ${label} ${row.item}` : ''}: details`}
          onClick={onOpen}
        >
          <Icon name={icon} size={14} />
          {verb}
        </button>
      </td>
      <td>
        {hasItem(row) ? (
          <>
            {label}{' '}
            <code className={styles['key']}>{row.item.length > 12 ? `${row.item.slice(0, 8)}…` : row.item}</code>
          </>
        ) : (
          <span className={styles['none']}>–</span>
        )}
      </td>
      <td className={styles['when']}>
        <When at={row.timestamp} />
      </td>
      <td className={styles['from']}>
        {row.ip ?? '–'}
        {row.user_agent === null ? null : <small title={row.user_agent}>{agentWords(row.user_agent)}</small>}
      </td>
    </tr>
  )
}
