import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { toast } from '../../ui/toasts.tsx'
import { newToken } from './new-accounts.ts'
import styles from './users.module.css'

interface TokenDialogProps {
  readonly user: string
  readonly name: string
  readonly hasToken: boolean
  readonly onClose: () => void
}

/** Issues a static token, and shows it this once. */
export function TokenDialog({ user, name, hasToken, onClose }: TokenDialogProps) {
  const [token, setToken] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const client = useQueryClient()
  const issue = async () => {
    const next = newToken()
    setError(null)
    try {
      await request('PATCH', `/users/${user}`, { body: { token: next }, params: { fields: 'id' } })
      setToken(next)
      await client.invalidateQueries({ queryKey: ['access'] })
    } catch (caught) {
      setError(caught)
    }
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token ?? '')
      toast('The token is copied.')
    } catch {
      toast('The browser does not allow copying. Select the token and copy it.', { tone: 'warn' })
    }
  }
  return (
    <Dialog
      isOpen
      isUrgent={token !== null}
      title={`Static token of ${name}`}
      onClose={onClose}
      actions={
        token === null ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="solid" icon="key-round" onClick={() => void issue()}>
              {hasToken ? 'Replace the token' : 'Issue a token'}
            </Button>
          </>
        ) : (
          <Button kind="solid" onClick={onClose}>
            I have stored it
          </Button>
        )
      }
    >
      <div className={styles['form']}>
        {token === null ? (
          <p>
            {hasToken
              ? 'The token of now stops working at once. Programs that use it need the new one.'
              : 'A static token does not expire. A program that sends it acts as this user.'}
          </p>
        ) : (
          <>
            <Notice tone="warn">Copy it now. It is stored as a hash, and cannot be shown again.</Notice>
            <div className={styles['token']}>
              <code>{token}</code>
              <Button icon="copy" onClick={() => void copy()}>
                Copy
              </Button>
            </div>
          </>
        )}
        {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
      </div>
    </Dialog>
  )
}
