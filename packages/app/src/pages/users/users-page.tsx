import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { request } from '../../api/client.ts'
import { rolesQuery } from '../../access/queries.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { counted } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { nameOfUser, useStart } from '../../app/use-start.ts'
import { messageOf } from '../../api/api-error.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Avatar, Chip } from '../../ui/chip.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { When } from '../../ui/when.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LISTED, statuses, statusWords, type ListedUser, type Status } from './user.ts'
import styles from './users.module.css'

const PAGE = 50

interface Search {
  readonly text: string
  readonly status: string
  readonly role: string
}

function useUsers({ text, status, role }: Search) {
  const conditions = [
    ...(status === '' ? [] : [{ status: { _eq: status } }]),
    ...(role === '' ? [] : [{ role: role === 'none' ? { _null: true } : { _eq: role } }]),
  ]
  return useInfiniteQuery({
    queryKey: ['access', 'users', 'list', text, status, role],
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => {
      const { data, meta } = await request<readonly ListedUser[]>('SEARCH', '/users', {
        body: {
          query: {
            fields: LISTED,
            sort: ['first_name', 'last_name', 'email'],
            limit: PAGE,
            offset: pageParam,
            meta: ['filter_count'],
            ...(text === '' ? {} : { search: text }),
            ...(conditions.length === 0 ? {} : { filter: { _and: conditions } }),
          },
        },
        signal,
      })
      return { users: data, count: Number(meta['filter_count'] ?? data.length) }
    },
    getNextPageParam: ({ count }, pages) => (pages.length * PAGE < count ? pages.length * PAGE : undefined),
  })
}

/** Everybody who can sign in, or is invited to. */
export function UsersPage() {
  const [text, setText] = useState('')
  const [status, setStatus] = useState('')
  const [role, setRole] = useState('')
  const [isInviting, setInviting] = useState(false)
  const { data: roles = [] } = useQuery(rolesQuery)
  const list = useUsers({ text: useDeferredValue(text).trim(), status, role })
  const whyNot = useWhyNot()
  const users = list.data?.pages.flatMap((page) => page.users)
  const count = list.data?.pages[0]?.count
  return (
    <>
      <PageHead
        icon="users"
        title="Users"
        note={count === undefined ? undefined : counted(count, 'user')}
        actions={
          <Button
            kind="solid"
            icon="mail-plus"
            disabled={whyNot !== null}
            title={whyNot ?? undefined}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        }
      />
      <PageBody>
        <div className={styles['tools']}>
          <Input
            icon="search"
            className={styles['search'] ?? ''}
            aria-label="Search users"
            placeholder="Name or address"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Select
            className={styles['choice'] ?? ''}
            aria-label="Status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
            choices={[
              { value: '', text: 'Every status' },
              ...statuses.map((value) => ({ value, text: statusWords[value] })),
            ]}
          />
          <Select
            className={styles['choice'] ?? ''}
            aria-label="Role"
            value={role}
            onChange={(event) => setRole(event.target.value)}
            choices={[
              { value: '', text: 'Every role' },
              ...roles.map(({ id, name }) => ({ value: id, text: name })),
              { value: 'none', text: 'Without a role' },
            ]}
          />
        </div>
        {list.error !== null ? (
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        ) : users === undefined ? (
          <Skeleton lines={8} />
        ) : users.length === 0 ? (
          <Empty icon="users" title="Nobody matches">
            Change the search or the filters.
          </Empty>
        ) : (
          <>
            <Table label="Users" heads={['Name', 'Status', 'Role', 'Last seen', '']}>
              {users.map((user) => (
                <UserRow key={user.id} user={user} whyNot={whyNot} />
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
      {isInviting ? <InviteDialog roles={roles} onClose={() => setInviting(false)} /> : null}
    </>
  )
}

function UserRow({ user, whyNot }: { readonly user: ListedUser; readonly whyNot: string | null }) {
  const [, go] = useLocation()
  const client = useQueryClient()
  const { me } = useStart()
  const name = nameOfUser(user)
  const isMe = (me as { readonly id?: unknown } | null)?.id === user.id
  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      await client.invalidateQueries({ queryKey: ['access'] })
      toast(done, { tone: 'good' })
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
  }
  const setStatus = (status: Status, done: string) =>
    void run(() => request('PATCH', `/users/${user.id}`, { body: { status }, params: { fields: 'id' } }), done)
  return (
    <tr>
      <td>
        <span className={styles['person']}>
          <Avatar name={name} size={28} />
          <span>
            <Link href={`/users/${user.id}`} className={styles['name']}>
              {name}
            </Link>
            {isMe ? <span className={styles['you']}>you</span> : null}
            {user.email === null || user.email === name ? null : <small>{user.email}</small>}
          </span>
        </span>
      </td>
      <td>
        <Chip value={user.status} text={statusWords[user.status as Status] ?? user.status} />
      </td>
      <td>
        {user.role?.name ?? <span className={styles['none']}>none</span>}
        {user.policies.length === 0 ? null : (
          <small>also {user.policies.map(({ policy }) => policy.name).join(', ')}</small>
        )}
      </td>
      <td>
        {user.last_access === null ? <span className={styles['none']}>never</span> : <When at={user.last_access} />}
        <span className={styles['marks']}>
          {user.tfa_secret === null ? null : <Mark label="Has a second factor" icon="smartphone" />}
          {user.token === null ? null : <Mark label="Has a static token" icon="key-round" />}
        </span>
      </td>
      <td className={styles['end']}>
        <Menu
          label={`Actions on ${name}`}
          placement="bottom end"
          trigger={(props) => <IconButton {...props} icon="ellipsis" label={`Actions on ${name}`} />}
          entries={[
            { id: 'open', label: 'Open', icon: 'pencil', run: () => go(`/users/${user.id}`) },
            ...(user.status === 'invited'
              ? [
                  {
                    id: 'resend',
                    label: 'Send the invitation again',
                    icon: 'mail' as const,
                    whyNot:
                      whyNot ?? (user.email === null || user.role === null ? 'Needs an address and a role.' : null),
                    run: () =>
                      void run(
                        () => request('POST', '/users/invite', { body: { email: user.email, role: user.role?.id } }),
                        `Invited ${user.email ?? name} again.`,
                      ),
                  },
                ]
              : []),
            user.status === 'suspended'
              ? {
                  id: 'activate',
                  label: 'Let in again',
                  icon: 'user-check',
                  whyNot,
                  run: () => setStatus('active', `${name} can sign in again.`),
                }
              : {
                  id: 'suspend',
                  label: 'Suspend',
                  icon: 'user-x',
                  isDanger: true,
                  whyNot: whyNot ?? (isMe ? 'You cannot suspend yourself here.' : null),
                  run: () => setStatus('suspended', `${name} is suspended, all sessions have ended.`),
                },
          ]}
        />
      </td>
    </tr>
  )
}

const Mark = ({ label, icon }: { readonly label: string; readonly icon: 'smartphone' | 'key-round' }) => (
  <span title={label}>
    <Icon name={icon} size={14} />
    <span className="visually-hidden">{label}</span>
  </span>
)
