import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { Section } from '../../access/section.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './settings.module.css'

/** Sets another password for oneself. */
export function PasswordForm({ whyNot }: { readonly whyNot: string | null }) {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [error, setError] = useState<unknown>(null)
  const isSame = password === again
  const save = async () => {
    setError(null)
    try {
      await request('PATCH', '/users/me', { body: { password }, params: { fields: 'id' } })
      setOpen(false)
      setPassword('')
      setAgain('')
      toast('The password is changed. Your other sessions have ended.', { tone: 'good' })
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <Section
      title="Password"
      note={whyNot ?? undefined}
      actions={
        isOpen || whyNot !== null ? undefined : <Button onClick={() => setOpen(true)}>Change the password</Button>
      }
    >
      {isOpen ? (
        <form
          className={styles['grid']}
          onSubmit={(event) => {
            event.preventDefault()
            if (isSame && password !== '') void save()
          }}
        >
          <Field label="New password" error={error === null ? null : messageOf(error)}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="new-password"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          <Field label="The same again" error={again !== '' && !isSame ? 'The two differ.' : null}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="new-password"
                value={again}
                onChange={(event) => setAgain(event.target.value)}
              />
            )}
          </Field>
          <div>
            <Button kind="solid" type="submit" disabled={password === '' || !isSame}>
              Set the password
            </Button>{' '}
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </form>
      ) : undefined}
    </Section>
  )
}
