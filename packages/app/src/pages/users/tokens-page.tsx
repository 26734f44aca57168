import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import { PersonPicker } from '../../access/person-picker.tsx'
import { useWhyNot } from '../../access/use-writable.ts'
import { counted } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { nameOfUser } from '../../app/use-start.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar, Chip } from '../../ui/chip.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { When } from '../../ui/when.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { LISTED, statusWords, type ListedUser, type Status } from './user.ts'
import styles from './users.module.css'

interface Holder {
  readonly id: string
  readonly name: string
  readonly hasToken: boolean
}

/** Who has a static token: programs, mostly. */
export function TokensPage() {
  const client = useQueryClient()
  const whyNot = useWhyNot()
  const [issued, setIssued] = useState<Holder | null>(null)
  const [revoked, setRevoked] = useState<Holder | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['access', 'users', 'tokens'],
    queryFn: async ({ signal }) =>
      (
        await request<readonly ListedUser[]>('SEARCH', '/users', {
          body: { query: { fields: LISTED, filter: { token: { _nnull: true } }, sort: ['email'], limit: -1 } },
          signal,
        })
      ).data,
  })
  return (
    <>
      <PageHead
        icon="key-round"
        title="Tokens"
        note={data === undefined ? undefined : counted(data.length, 'static token')}
        actions={
          whyNot === null ? (
            <PersonPicker
              label="Issue a token"
              empty="Issue a token to…"
              chosen={null}
              onChoose={(person) => {
                if (person === 'public') return
                const hasToken = data?.some(({ id }) => id === person.id) === true
                setIssued({ id: person.id, name: nameOfUser(person), hasToken })
              }}
            />
          ) : undefined
        }
      />
      <PageBody>
        {error !== null ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton lines={5} />
        ) : data.length === 0 ? (
          <Empty icon="key-round" title="Nobody has a static token">
            Programs sign in with one. Choose a user above to issue it.
          </Empty>
        ) : (
          <Table label="Static tokens" heads={['User', 'Status', 'Allows', 'Last seen', '']}>
            {data.map((user) => {
              const holder = { id: user.id, name: nameOfUser(user), hasToken: true }
              return (
                <tr key={user.id}>
                  <td>
                    <span className={styles['person']}>
                      <Avatar name={holder.name} size={28} />
                      <Link href={`/users/${user.id}`} className={styles['name']}>
                        {holder.name}
                      </Link>
                    </span>
                  </td>
                  <td>
                    <Chip value={user.status} text={statusWords[user.status as Status] ?? user.status} />
                  </td>
                  <td>
                    {[
                      ...(user.role === null ? [] : [user.role.name]),
                      ...user.policies.map(({ policy }) => policy.name),
                    ].join(', ') || 'what the public may do'}
                  </td>
                  <td>
                    {user.last_access === null ? (
                      <span className={styles['none']}>never</span>
                    ) : (
                      <When at={user.last_access} />
                    )}
                  </td>
                  <td className={styles['end']} data-wide>
                    <span className={styles['token']}>
                      <Button
                        aria-label={`Replace the token of ${holder.name}`}
                        disabled={whyNot !== null}
                        onClick={() => setIssued(holder)}
                      >
                        Replace
                      </Button>
                      <Button
                        kind="danger"
                        aria-label={`Revoke the token of ${holder.name}`}
                        disabled={whyNot !== null}
                        onClick={() => setRevoked(holder)}
                      >
                        Revoke
                      </Button>
                    </span>
                  </td>
                </tr>
              )
            })}
          </Table>
        )}
      </PageBody>
      {issued === null ? null : (
        <TokenDialog user={issued.id} name={issued.name} hasToken={issued.hasToken} onClose={() => setIssued(null)} />
      )}
      {revoked === null ? null : (
        <ConfirmDialog
          title={`Revoke the token of ${revoked.name}?`}
          confirm="Revoke the token"
          isDanger
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await request('PATCH', `/users/${revoked.id}`, { body: { token: null }, params: { fields: 'id' } })
            await client.invalidateQueries({ queryKey: ['access'] })
            toast('The token is revoked.')
          }}
        >
          <p>Programs that use it are refused at once.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
