import { lazy, Suspense, useState } from 'react'
import { useSignal } from '../api/use-signal.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { signOut } from './session.ts'
import { useStart } from './use-start.ts'
import { ownStart } from './view-as.ts'
import styles from './sign-in-again.module.css'

const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))

/** Asks for the password over the page when the session has ended, so that nothing typed below is lost. */
export function SignInAgain() {
  const isEnded = useSignal('isSessionEnded')
  return isEnded ? <Question /> : null
}

/** It goes away by itself when the session has begun anew. Who closes it first can still read and copy what is below. */
function Question() {
  const start = useStart()
  const { me } = ownStart() ?? start
  const [isOpen, setOpen] = useState(true)
  const email = (me as { email?: unknown } | null)?.email
  const isKnown = typeof email === 'string'
  if (!isOpen)
    return (
      <div className={styles['bar']} role="status">
        <Icon name="log-in" />
        <span>Your session has ended. Nothing can be loaded or saved.</span>
        <Button kind="solid" onClick={() => setOpen(true)}>
          Sign in again
        </Button>
      </div>
    )
  return (
    <Dialog
      isOpen
      isUrgent
      title="Your session has ended"
      onClose={() => setOpen(false)}
      actions={
        <Button kind="quiet" onClick={() => void signOut()}>
          Leave, and drop what is not saved
        </Button>
      }
    >
      <p className={styles['note']}>Sign in again to go on. What you typed is kept.</p>
      <Suspense fallback={null}>
        <SignInForm email={isKnown ? email : ''} isEmailFixed={isKnown} />
      </Suspense>
    </Dialog>
  )
}
