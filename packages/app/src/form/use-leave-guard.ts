import { useEffect, useRef, useState } from 'react'
import { toast } from '../ui/toasts.tsx'

export interface LeaveQuestion {
  readonly stay: () => void
  readonly leave: () => void
}

type Push = History['pushState']

/**
 * Asks before a page with unsaved changes is left. Links and commands of the app go through `pushState`; for the back
 * button and for closing the tab the draft is kept, and the browser asks where it can.
 */
export function useLeaveGuard(isDirty: () => boolean): LeaveQuestion | null {
  const [question, setQuestion] = useState<LeaveQuestion | null>(null)
  const ask = useRef(isDirty)
  useEffect(() => {
    ask.current = isDirty
  })
  useEffect(() => {
    const here = location.pathname
    const original = Reflect.get(history, 'pushState')
    const push: Push = (...args) => Reflect.apply(original, history, args)
    const guarded: Push = (...args) => {
      const isOther = new URL(String(args[2] ?? ''), location.href).pathname !== location.pathname
      if (!isOther || !ask.current()) return push(...args)
      setQuestion({
        stay: () => setQuestion(null),
        leave: () => {
          setQuestion(null)
          push(...args)
        },
      })
    }
    history.pushState = guarded
    const onUnload = (event: BeforeUnloadEvent) => {
      if (ask.current()) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      removeEventListener('beforeunload', onUnload)
      history.pushState = original
      // Only the back button leaves a page with changes: every other way has asked.
      if (location.pathname !== here && ask.current())
        toast('Unsaved changes were kept.', { action: { label: 'Go back to them', run: () => history.forward() } })
    }
  }, [])
  return question
}
