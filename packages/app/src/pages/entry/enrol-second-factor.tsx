import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { signOut } from '../../app/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { toast } from '../../ui/toasts.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { refusalText } from './refusal.ts'
import styles from './entry.module.css'

interface Secret {
  readonly secret: string
  readonly otpauth_url: string
}

/** Sets up the second factor that a policy requires, before anything else can be opened. */
export function EnrolSecondFactor({ password: known }: { readonly password: string }) {
  const [password, setPassword] = useState(known)
  const generate = useMutation({
    mutationFn: async () =>
      (await request<Secret>('POST', '/users/me/tfa/generate', { body: { password }, isSigningIn: true })).data,
  })
  const hasBegun = useRef(false)
  const begin = generate.mutate
  useEffect(() => {
    if (known === '' || hasBegun.current) return
    hasBegun.current = true
    begin()
  }, [known, begin])
  return (
    <EntrySheet
      title="Set up a second factor"
      note="Your role requires a code from an authenticator app in addition to the password."
      foot={
        <Button kind="link" className={styles['aside'] ?? ''} onClick={() => void signOut()}>
          Sign out
        </Button>
      }
    >
      {generate.isSuccess ? (
        <ConfirmSecret secret={generate.data} />
      ) : generate.isPending ? (
        <p aria-live="polite">Preparing a secret…</p>
      ) : (
        <form
          className={styles['form']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            begin()
          }}
        >
          <Field label="Your password" note="To be sure that it is you.">
            {(control) => (
              <Input
                {...control}
                icon="lock"
                type="password"
                name="password"
                autoComplete="current-password"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          {generate.isError ? <Notice tone="danger">{wordsFor(generate.error)}</Notice> : null}
          <Button kind="solid" isWide type="submit" disabled={password === ''}>
            Go on
          </Button>
        </form>
      )}
    </EntrySheet>
  )
}

function ConfirmSecret({ secret: { secret, otpauth_url: link } }: { readonly secret: Secret }) {
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const enable = useMutation({
    mutationFn: async () => {
      const otp = code.replaceAll(/\s/gu, '')
      await request('POST', '/users/me/tfa/enable', { body: { secret, otp }, isSigningIn: true })
      await queries.invalidateQueries({ queryKey: ['start'] })
    },
  })
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!enable.isPending) enable.mutate()
      }}
    >
      <div className={styles['qr']}>
        <QrCode text={link} label="QR code for your authenticator app" />
        <a href={link}>Open in an app on this device</a>
        <div className={styles['secret']}>
          <code aria-label="Secret">{inGroups(secret)}</code>
          <IconButton
            icon="copy"
            label="Copy the secret"
            onClick={() => {
              void navigator.clipboard.writeText(secret).then(() => toast('The secret is copied.'))
            }}
          />
        </div>
      </div>
      <Field label="Code" note="Scan the picture or type the secret, then enter the six digits that the app shows.">
        {(control) => (
          <Input
            {...control}
            icon="smartphone"
            inputMode="numeric"
            name="code"
            autoComplete="one-time-code"
            maxLength={12}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      {enable.isError ? <Notice tone="danger">{wordsFor(enable.error)}</Notice> : null}
      <Notice>
        There are no recovery codes. Keep the secret in a safe place, or ask an administrator to remove the second
        factor if you lose the device.
      </Notice>
      <Button kind="solid" isWide type="submit" isBusy={enable.isPending} disabled={code.trim() === ''}>
        {enable.isPending ? 'Checking…' : 'Turn on the second factor'}
      </Button>
    </form>
  )
}

const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/gu, '$1 ')

function wordsFor(error: unknown): string {
  if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS') return 'The password is not right.'
  if (error instanceof ApiError && error.message.includes('"otp"'))
    return 'This code is not right. A code changes every 30 seconds; enter the one that is shown now.'
  if (error instanceof ApiError && error.message.includes('"secret"'))
    return 'This took too long, and the secret is not valid any more. Load the page again to get a new one.'
  return refusalText(error)
}
