import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { refusalText } from './refusal.ts'
import styles from './entry.module.css'

/** Asks for a link by mail. The answer is the same whether or not somebody has the address. */
export function RequestReset({ back }: { readonly back: string }) {
  const [email, setEmail] = useState('')
  const send = useMutation({
    mutationFn: () => request('POST', '/auth/password/request', { body: { email: email.trim() }, isSigningIn: true }),
  })
  return (
    <EntrySheet
      title="Set a new password"
      note="We send a link to your e-mail address. Open it to choose a new password."
      foot={
        <>
          <Link href={back}>Back to sign in</Link>
          <p>
            Nobody can sign in yet? <Link href="/setup">Create the first administrator</Link>
          </p>
        </>
      }
    >
      {send.isSuccess ? (
        <Notice tone="good" title="Look into your mail">
          If somebody with the address {email.trim()} has an account here, a link is on its way. It works for a short
          time only. Nothing arrived? Look into the spam folder, or ask an administrator.
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
          <Field label="E-mail">
            {(control) => (
              <Input
                {...control}
                icon="mail"
                type="email"
                name="email"
                autoComplete="username"
                autoFocus
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          {send.isError ? <Notice tone="danger">{refusalText(send.error)}</Notice> : null}
          <Button kind="solid" isWide type="submit" isBusy={send.isPending} disabled={email.trim() === ''}>
            {send.isPending ? 'Sending…' : 'Send the link'}
          </Button>
        </form>
      )}
    </EntrySheet>
  )
}
