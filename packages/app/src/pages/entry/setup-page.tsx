import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { fieldErrors } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { signIn } from '../../app/sign-in.ts'
import { useStart } from '../../app/use-start.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalText } from './refusal.ts'
import styles from './entry.module.css'

const refused =
  'The token is not right, or there is an administrator already. The log of the service shows the token when it starts without an administrator.'

/** Creates the first administrator, for whoever can read the log of the service. */
export function SetupPage() {
  const { me } = useStart()
  const [, go] = useLocation()
  const [token, setToken] = useState(new URLSearchParams(useSearch()).get('token') ?? '')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const send = useMutation({
    mutationFn: async () => {
      const admin = { email: email.trim(), password }
      await request('POST', '/server/setup', { body: { token: token.trim(), admin }, isSigningIn: true })
      await signIn({ ...admin, code: null })
    },
    onSuccess: () => go('/', { replace: true }),
  })
  if (me !== null && !send.isPending) return <Redirect replace to="/" />
  const errors = fieldErrors(send.error)
  const isFieldError = errors.has('password') || errors.has('email')
  const isComplete = token.trim() !== '' && email.trim() !== '' && password !== ''
  return (
    <EntrySheet
      title="Create the first administrator"
      note="Tain is running, and nobody may sign in yet."
      foot={<Link href="/login">Go to sign in</Link>}
    >
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!send.isPending) send.mutate()
        }}
      >
        <Field label="Setup token" note="The log of the service shows it at the start.">
          {(control) => (
            <Input
              {...control}
              icon="key-round"
              name="setup-token"
              autoFocus={token === ''}
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Field label="Your e-mail" error={errors.get('email') ?? null}>
          {(control) => (
            <Input
              {...control}
              icon="mail"
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <NewPasswordField value={password} onChange={setPassword} error={errors.get('password') ?? null} />
        {send.isError && !isFieldError ? <Notice tone="danger">{refusalText(send.error, refused)}</Notice> : null}
        <Button kind="solid" isWide type="submit" isBusy={send.isPending} disabled={!isComplete}>
          {send.isPending ? 'Creating…' : 'Create and sign in'}
        </Button>
      </form>
    </EntrySheet>
  )
}
