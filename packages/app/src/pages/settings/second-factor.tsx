import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { Section } from '../../access/section.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, Notice } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './settings.module.css'

interface Secret {
  readonly secret: string
  readonly otpauth_url: string
}

type Step = { readonly at: 'start' | 'password' | 'disable' } | ({ readonly at: 'code' } & Secret)

interface SecondFactorProps {
  readonly isSet: boolean
  /** Why it cannot be changed now; null: it can. */
  readonly whyNot: string | null
}

/** Sets up or removes the code of an authenticator app. */
export function SecondFactor({ isSet, whyNot }: SecondFactorProps) {
  const [step, setStep] = useState<Step>({ at: 'start' })
  const client = useQueryClient()
  const locked = { disabled: whyNot !== null, title: whyNot ?? undefined }
  const finish = async (text: string) => {
    setStep({ at: 'start' })
    await client.invalidateQueries({ queryKey: ['me'] })
    toast(text, { tone: 'good' })
  }
  return (
    <Section
      title="Second factor"
      note={
        isSet ? (
          <>
            <Badge tone="good">Set up</Badge> Signing in needs a code from your app.
          </>
        ) : (
          'A code from an authenticator app, in addition to the password.'
        )
      }
      actions={
        step.at !== 'start' ? undefined : isSet ? (
          <Button {...locked} onClick={() => setStep({ at: 'disable' })}>
            Remove
          </Button>
        ) : (
          <Button {...locked} icon="smartphone" onClick={() => setStep({ at: 'password' })}>
            Set up
          </Button>
        )
      }
    >
      {step.at === 'password' ? (
        <Ask
          label="Your password"
          note="To be sure that it is you."
          type="password"
          confirm="Go on"
          onCancel={() => setStep({ at: 'start' })}
          onSend={async (password) => {
            const { data } = await request<Secret>('POST', '/users/me/tfa/generate', {
              body: { password },
              isSigningIn: true,
            })
            setStep({ at: 'code', ...data })
          }}
        />
      ) : step.at === 'code' ? (
        <div className={styles['enrol']}>
          <QrCode text={step.otpauth_url} label="Code for your authenticator app" />
          <div>
            <p>Scan the picture with your app, or type the secret into it:</p>
            <code className={styles['secret']}>{step.secret}</code>
            <Ask
              label="Code"
              note="Six digits that the app shows now."
              type="text"
              confirm="Turn it on"
              onCancel={() => setStep({ at: 'start' })}
              onSend={async (otp) => {
                await request('POST', '/users/me/tfa/enable', {
                  body: { otp, secret: step.secret },
                  isSigningIn: true,
                })
                await finish('The second factor is on. Your other sessions have ended.')
              }}
            />
            <Notice>Without your phone you cannot sign in. An administrator can reset it.</Notice>
          </div>
        </div>
      ) : step.at === 'disable' ? (
        <Ask
          label="Code"
          note="Six digits that the app shows now."
          type="text"
          confirm="Remove it"
          onCancel={() => setStep({ at: 'start' })}
          onSend={async (otp) => {
            await request('POST', '/users/me/tfa/disable', { body: { otp }, isSigningIn: true })
            await finish('The second factor is removed.')
          }}
        />
      ) : undefined}
    </Section>
  )
}

interface AskProps {
  readonly label: string
  readonly note: string
  readonly type: 'password' | 'text'
  readonly confirm: string
  readonly onSend: (value: string) => Promise<void>
  readonly onCancel: () => void
}

function Ask({ label, note, type, confirm, onSend, onCancel }: AskProps) {
  const [value, setValue] = useState('')
  const [error, setError] = useState<string | null>(null)
  const send = async () => {
    setError(null)
    try {
      await onSend(value.trim())
    } catch (caught) {
      setError(
        caught instanceof ApiError && caught.status === 401
          ? `${label === 'Code' ? 'The code' : 'The password'} is not right. Try again.`
          : messageOf(caught),
      )
    }
  }
  return (
    <form
      className={styles['grid']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label={label} note={note} error={error}>
        {(control) => (
          <Input
            {...control}
            type={type}
            autoFocus
            inputMode={type === 'text' ? 'numeric' : undefined}
            autoComplete={type === 'text' ? 'one-time-code' : 'current-password'}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button kind="solid" type="submit" disabled={value === ''}>
          {confirm}
        </Button>{' '}
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
