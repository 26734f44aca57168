import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { ApiError, fieldErrors } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalText } from './refusal.ts'
import styles from './entry.module.css'

interface PasswordByTokenProps {
  readonly title: string
  readonly note: string
  readonly path: string
  readonly action: string
  /** Said when the link is too old, used, or cut. */
  readonly deadLink: string
  /** What to do then. */
  readonly wayOut: ReactNode
  /** The reason that the sign-in page shows afterwards. */
  readonly reason: string
}

/** Chooses a password with the token of a link that came by mail. */
export function PasswordByToken({ title, note, path, action, deadLink, wayOut, reason }: PasswordByTokenProps) {
  const token = new URLSearchParams(useSearch()).get('token') ?? ''
  const [, go] = useLocation()
  const [password, setPassword] = useState('')
  const send = useMutation({
    mutationFn: () => request('POST', path, { body: { token, password }, isSigningIn: true }),
    onSuccess: () => go(`/login?reason=${reason}`, { replace: true }),
  })
  const policyError = fieldErrors(send.error).get('password') ?? null
  const isDead = token === '' || (send.error instanceof ApiError && send.error.status === 403)
  return (
    <EntrySheet title={title} note={isDead ? undefined : note} foot={<Link href="/login">Go to sign in</Link>}>
      {isDead ? (
        <Notice tone="danger" title="This link does not work" actions={wayOut}>
          {deadLink}
        </Notice>
      ) : (
        <form
          className={styles['form']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!send.isPending) send.mutate()
          }}
        >
          <NewPasswordField value={password} onChange={setPassword} error={policyError} hasFocus />
          {send.isError && policyError === null ? <Notice tone="danger">{refusalText(send.error)}</Notice> : null}
          <Button kind="solid" isWide type="submit" isBusy={send.isPending} disabled={password === ''}>
            {send.isPending ? 'Saving…' : action}
          </Button>
        </form>
      )}
    </EntrySheet>
  )
}
