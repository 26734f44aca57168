import { useEffect, useRef, useState } from 'react'

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
    const push: Push = history.pushState.bind(history)
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
      history.pushState = push
    }
  }, [])
  return question
}
