import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useSignal } from '../api/use-signal.ts'

/** Seconds between tries of a service that is busy or away. */
const PAUSE = 5

export interface Retry {
  /** Seconds until it is tried again by itself; null: it is not. */
  readonly left: number | null
  /** Of these many seconds in all. */
  readonly wait: number | null
  readonly isTrying: boolean
  readonly run: () => void
}

/** Tries again what failed: by hand, after the time that the service asks for, and when the connection is back. */
export function useRetry(error: unknown, onRetry: (() => void) | undefined): Retry {
  const returns = useSignal('returns')
  const [left, setLeft] = useState<number | null>(null)
  const [tried, setTried] = useState<unknown>(null)
  const wait = onRetry === undefined ? null : waitFor(error)
  const run = () => {
    setTried(error)
    onRetry?.()
  }
  const latest = useRef(run)
  latest.current = run

  const known = useRef(returns)
  useEffect(() => {
    if (known.current === returns) return
    known.current = returns
    if (isOver(error)) latest.current()
  }, [returns, error])

  useEffect(() => {
    setLeft(wait)
    if (wait === null) return undefined
    const end = Date.now() + wait * 1000
    const timer = setInterval(() => {
      const next = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      setLeft(next)
      if (next > 0) return
      clearInterval(timer)
      latest.current()
    }, 250)
    return () => clearInterval(timer)
    // another failure is another wait, also when it is as long
  }, [wait, error])

  return { left, wait, isTrying: error !== null && tried === error, run }
}

function waitFor(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.isOffline) return null
  if (error.status === 429) return error.retryAfter ?? PAUSE
  return error.isMomentary ? Math.max(PAUSE, error.retryAfter ?? 0) : null
}

/** Whether a connection or a session that came back ends the failure. */
const isOver = (error: unknown): boolean => error instanceof ApiError && (error.isOffline || error.status === 401)
