import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import { Section } from '../../access/section.tsx'
import { nameOfUser } from '../../app/use-start.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { toast } from '../../ui/toasts.tsx'
import { When } from '../../ui/when.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { statusWords, type Status, type User } from './user.ts'
import styles from './users.module.css'

type Question = 'token' | 'revoke' | 'tfa' | 'sessions' | 'delete'

interface AccountSideProps {
  readonly user: User
  readonly isMe: boolean
  readonly whyNot: string | null
}

/** How a user signs in, and how that ends. Each takes effect at once. */
export function AccountSide({ user, isMe, whyNot }: AccountSideProps) {
  const [question, setQuestion] = useState<Question | null>(null)
  const isOff = whyNot !== null
  const close = () => setQuestion(null)
  return (
    <div className={styles['side']}>
      <Section title="Account">
        <dl className={styles['facts']}>
          <dt>Status</dt>
          <dd>
            <Chip value={user.status} text={statusWords[user.status as Status] ?? user.status} />
          </dd>
          <dt>Last seen</dt>
          <dd>{user.last_access === null ? 'never' : <When at={user.last_access} />}</dd>
          <dt>Key</dt>
          <dd>
            <code>{user.id.slice(0, 8)}…</code>
          </dd>
        </dl>
      </Section>
      <Section
        title="Static token"
        note={
          user.token === null ? 'None. For programs that act as this user.' : 'There is one. It cannot be shown again.'
        }
        actions={
          <>
            <Button disabled={isOff} onClick={() => setQuestion('token')}>
              {user.token === null ? 'Issue a token' : 'Replace'}
            </Button>
            {user.token === null ? null : (
              <Button kind="danger" disabled={isOff} onClick={() => setQuestion('revoke')}>
                Revoke
              </Button>
            )}
          </>
        }
      />
      <Section
        title="Second factor"
        note={user.tfa_secret === null ? 'Not set up. Users set it up themselves.' : 'Set up.'}
        actions={
          user.tfa_secret === null ? undefined : (
            <Button disabled={isOff} onClick={() => setQuestion('tfa')}>
              Reset
            </Button>
          )
        }
      />
      <Section
        title="Sessions"
        note="Signs the user out on all devices."
        actions={
          <Button
            disabled={isOff || isMe || user.status !== 'active'}
            title={isMe ? 'Sign out instead' : undefined}
            onClick={() => setQuestion('sessions')}
          >
            End sessions
          </Button>
        }
      />
      <Section
        title="Delete"
        isDanger
        note="Suspending is enough to lock somebody out."
        actions={
          <Button
            kind="danger"
            icon="trash-2"
            disabled={isOff || isMe}
            title={isMe ? 'You cannot delete yourself here' : undefined}
            onClick={() => setQuestion('delete')}
          >
            Delete the user
          </Button>
        }
      />
      {question === 'token' ? (
        <TokenDialog user={user.id} name={nameOfUser(user)} hasToken={user.token !== null} onClose={close} />
      ) : question === null ? null : (
        <Asked question={question} user={user} onClose={close} />
      )}
    </div>
  )
}

interface AskedProps {
  readonly question: Exclude<Question, 'token'>
  readonly user: User
  readonly onClose: () => void
}

function Asked({ question, user, onClose }: AskedProps) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const name = nameOfUser(user)
  const patch = (body: unknown) => request('PATCH', `/users/${user.id}`, { body, params: { fields: 'id' } })
  const asked = {
    revoke: {
      title: `Revoke the token of ${name}?`,
      confirm: 'Revoke the token',
      text: 'Programs that use it are refused at once.',
      done: 'The token is revoked.',
      run: () => patch({ token: null }),
    },
    tfa: {
      title: `Reset the second factor of ${name}?`,
      confirm: 'Reset it',
      text: 'The password alone is enough to sign in afterwards, until a second factor is set up again.',
      done: 'The second factor is removed.',
      run: () => request('POST', `/users/${user.id}/tfa/disable`),
    },
    sessions: {
      title: `End all sessions of ${name}?`,
      confirm: 'End the sessions',
      text: 'The user is suspended for a moment, which ends every session, and let in again. Unsaved work in open browsers needs a new sign-in.',
      done: 'All sessions have ended.',
      run: async () => {
        await patch({ status: 'suspended' })
        await patch({ status: 'active' })
      },
    },
    delete: {
      title: `Delete ${name}?`,
      confirm: 'Delete the user',
      text: 'The account, its token and its own policies are deleted. Activity stays. This cannot be undone.',
      done: `${name} is deleted.`,
      run: async () => {
        await request('DELETE', `/users/${user.id}`)
        go('/access/users')
      },
    },
  }[question]
  return (
    <ConfirmDialog
      title={asked.title}
      confirm={asked.confirm}
      isDanger={question !== 'sessions'}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await asked.run()
          toast(asked.done, { tone: 'good' })
        } finally {
          if (question === 'delete') client.removeQueries({ queryKey: ['access', 'users', 'one', user.id] })
          void client.invalidateQueries({ queryKey: ['access'] })
        }
      }}
    >
      <p>{asked.text}</p>
    </ConfirmDialog>
  )
}
