import { useEffect, useRef, useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { prepare } from '../../app/prepare.ts'
import { lacksSecondFactor } from '../../app/sign-in.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { useStart } from '../../app/use-start.ts'
import { Notice, type Tone } from '../../ui/feedback.tsx'
import { EnrolSecondFactor } from './enrol-second-factor.tsx'
import { EntrySheet, useProject } from './entry-sheet.tsx'
import { nextPath } from './next-path.ts'
import { RequestReset } from './request-reset.tsx'

/** What brought somebody here, as the address says it. */
const reasons: Readonly<Record<string, { readonly tone: Tone; readonly text: string }>> = {
  'signed-out': { tone: 'info', text: 'You have signed out.' },
  'session-ended': { tone: 'warn', text: 'Your session has ended. Sign in again to go on.' },
  'password-set': { tone: 'good', text: 'Your new password is set. Sign in with it.' },
  invited: { tone: 'good', text: 'Your account is ready. Sign in with your e-mail address and the new password.' },
}

/** Signing in, asking for a new password, and setting up a second factor where it is required. */
export function SignInPage() {
  const start = useStart()
  const search = useSearch()
  const password = useRef('')
  const parameters = new URLSearchParams(search)
  const isIn = start.me !== null && !lacksSecondFactor(start)
  const isPrepared = usePrepared(isIn ? nextPath(search) : null)
  if (isIn && isPrepared) return <Redirect replace to={nextPath(search)} />
  if (start.me !== null && !isIn) return <EnrolSecondFactor password={password.current} />
  if (parameters.has('forgot')) return <RequestReset back={without(parameters, 'forgot')} />
  return <SignIn parameters={parameters} onAttempt={(given) => (password.current = given)} />
}

/** The page that follows is loaded, and what it shows first, while this one stays. Null: none follows yet. */
function usePrepared(next: string | null): boolean {
  const [prepared, setPrepared] = useState<string | null>(null)
  useEffect(() => {
    if (next !== null) void prepare(next).then(() => setPrepared(next))
  }, [next])
  return prepared !== null && prepared === next
}

interface SignInProps {
  readonly parameters: URLSearchParams
  readonly onAttempt: (password: string) => void
}

function SignIn({ parameters, onAttempt }: SignInProps) {
  const { name, descriptor, publicNote } = useProject()
  const reason = reasons[parameters.get('reason') ?? '']
  const forgotten = new URLSearchParams(parameters)
  forgotten.set('forgot', '')
  return (
    <EntrySheet
      title={`Sign in to ${name}`}
      note={descriptor ?? undefined}
      foot={
        <>
          {publicNote === null ? null : <p>{publicNote}</p>}
          <p>Your data stays in your database. Tain only looks at it with your rights.</p>
        </>
      }
    >
      {reason === undefined ? null : <Notice tone={reason.tone}>{reason.text}</Notice>}
      <SignInForm onAttempt={onAttempt} aside={<Link href={`/login?${forgotten.toString()}`}>Forgot?</Link>} />
    </EntrySheet>
  )
}

function without(parameters: URLSearchParams, name: string): string {
  const rest = new URLSearchParams(parameters)
  rest.delete(name)
  return rest.size === 0 ? '/login' : `/login?${rest.toString()}`
}
