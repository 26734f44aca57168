import { lazy, Suspense } from 'react'
import { useSignal } from '../api/use-signal.ts'
import { Dialog } from '../ui/dialog.tsx'
import { signOut } from './session.ts'
import { useStart } from './use-start.ts'

const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))

/** Asks for the password over the page when the session has ended, so that nothing typed below is lost. */
export function SignInAgain() {
  const isEnded = useSignal('isSessionEnded')
  return isEnded ? <Question /> : null
}

function Question() {
  const { me } = useStart()
  const email = (me as { email?: unknown } | null)?.email
  const isKnown = typeof email === 'string'
  return (
    <Dialog isOpen isUrgent title="Your session has ended" onClose={() => void signOut()}>
      <p>Sign in again to go on. What you typed is kept.</p>
      <br />
      <Suspense fallback={null}>
        {/* The dialog goes away by itself: the session has begun anew. */}
        <SignInForm email={isKnown ? email : ''} isEmailFixed={isKnown} />
      </Suspense>
    </Dialog>
  )
}
