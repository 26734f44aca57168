import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/feedback.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { signIn, signInProblem, type SignInProblem } from './sign-in.ts'
import styles from './sign-in-form.module.css'

interface SignInFormProps {
  readonly email?: string
  /** Signing in again does not change who works here. */
  readonly isEmailFixed?: boolean
  /** Shown at the end of the password's label. */
  readonly aside?: ReactNode
  /** Called before a request is sent: afterwards the form may be gone. */
  readonly onAttempt?: (password: string) => void
}

/** E-mail address and password, and the code of the second factor when the service asks for it. */
export function SignInForm({ email: first = '', isEmailFixed = false, aside, onAttempt }: SignInFormProps) {
  const [email, setEmail] = useState(first)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isIncomplete, setIncomplete] = useState(false)
  const wait = useSecondsLeft(problem)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || wait > 0) return
    const isMissing = email.trim() === '' || password === '' || code?.trim() === ''
    setIncomplete(isMissing)
    if (isMissing) return
    setBusy(true)
    setProblem(null)
    onAttempt?.(password)
    signIn({ email: email.trim(), password, code: code === null ? null : code.replaceAll(/\s/gu, '') }).catch(
      (error: unknown) => {
        const next = signInProblem(error, code !== null)
        setIncomplete(false)
        if (next.kind === 'code') setCode('')
        else setProblem(next)
        setBusy(false)
      },
    )
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {code === null ? (
        <>
          <Field label="E-mail" error={isIncomplete && email.trim() === '' ? 'Enter your e-mail address.' : null}>
            {(control) => (
              <Input
                {...control}
                icon="mail"
                type="email"
                name="email"
                autoComplete="username"
                required
                autoFocus={!isEmailFixed && first === ''}
                readOnly={isEmailFixed}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <Field label="Password" aside={aside} error={isIncomplete && password === '' ? 'Enter your password.' : null}>
            {(control) => (
              <Input
                {...control}
                icon="lock"
                type="password"
                name="password"
                autoComplete="current-password"
                required
                autoFocus={isEmailFixed || first !== ''}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </>
      ) : (
        <CodeField value={code} isMissing={isIncomplete && code.trim() === ''} onChange={setCode} />
      )}
      <Problem problem={problem} wait={wait} />
      <Button kind="solid" isWide type="submit" isBusy={isBusy} disabled={wait > 0}>
        {isBusy ? 'Signing in…' : code === null ? 'Sign in' : 'Confirm'}
      </Button>
      {code === null ? null : (
        <Button
          kind="link"
          className={styles['back'] ?? ''}
          onClick={() => {
            setCode(null)
            setPassword('')
            setProblem(null)
          }}
        >
          Back to e-mail and password
        </Button>
      )}
    </form>
  )
}

interface CodeFieldProps {
  readonly value: string
  readonly isMissing: boolean
  readonly onChange: (value: string) => void
}

/** Focused when it appears: the service asked for it. */
function CodeField({ value, isMissing, onChange }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <Field
      label="Code"
      note="The six digits that your authenticator app shows now."
      error={isMissing ? 'Enter the code.' : null}
    >
      {(control) => (
        <Input
          {...control}
          ref={input}
          icon="smartphone"
          inputMode="numeric"
          name="code"
          autoComplete="one-time-code"
          maxLength={12}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function Problem({ problem, wait }: { readonly problem: SignInProblem | null; readonly wait: number }) {
  if (problem === null || problem.kind === 'code') return null
  if (problem.kind === 'refused') return <Notice tone="danger">{problem.text}</Notice>
  return (
    <Notice tone="warn">
      {/* Said once; the seconds that run down are only for the eye. */}
      <span className="visually-hidden" role="alert">
        Too many attempts. Try again in {problem.seconds} seconds.
      </span>
      <span aria-hidden="true">
        {wait > 0 ? `Too many attempts. Try again in ${wait} s.` : 'You can try again now.'}
      </span>
    </Notice>
  )
}

/** The seconds until another attempt makes sense. */
export function useSecondsLeft(problem: SignInProblem | null): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (problem?.kind !== 'wait') {
      setLeft(0)
      return
    }
    const end = Date.now() + problem.seconds * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [problem])
  return left
}
