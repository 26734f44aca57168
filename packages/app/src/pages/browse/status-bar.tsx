import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useLanguage } from '../../app/use-start.ts'
import type { RowSource } from '../../grid/source.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './browse.module.css'

/** What is known about the rows: how many, how fast, how old. */
export function StatusBar({ source }: { readonly source: RowSource }) {
  const { total, isExact, milliseconds, readAt, state, isReloading } = useSyncExternalStore(
    source.subscribe,
    source.snapshot,
  )
  const language = useLanguage()
  return (
    <footer className={styles['status']}>
      {state === 'ready' ? (
        <span aria-live="polite">
          <bdi className={styles['total']}>
            {isExact ? '' : '≈ '}
            {total.toLocaleString(language)}
          </bdi>{' '}
          {total === 1 ? 'row' : 'rows'}
        </span>
      ) : null}
      {state === 'ready' && !isExact ? <CountExactly source={source} /> : null}
      <span className={styles['grow']} />
      {isReloading && state === 'ready' ? <span>reading again…</span> : null}
      {milliseconds === null ? null : <bdi title="Time to the answer">{Math.round(milliseconds)} ms</bdi>}
      {readAt === null ? null : <Age readAt={readAt} />}
    </footer>
  )
}

function CountExactly({ source }: { readonly source: RowSource }) {
  const [isCounting, setCounting] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [source])
  const count = async () => {
    const controller = new AbortController()
    running.current = controller
    setCounting(true)
    try {
      await source.countExactly(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) toast(messageOf(error), { tone: 'danger' })
    } finally {
      setCounting(false)
    }
  }
  return isCounting ? (
    <span>
      counting…{' '}
      <Button kind="link" onClick={() => running.current?.abort()}>
        cancel
      </Button>
    </span>
  ) : (
    <Button kind="link" onClick={() => void count()}>
      count exactly
    </Button>
  )
}

const MINUTE = 60_000

function Age({ readAt }: { readonly readAt: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2)
    return () => clearInterval(timer)
  }, [readAt])
  const minutes = Math.floor((now - readAt) / MINUTE)
  return (
    <span className={styles['age']} data-old={minutes >= 5 || undefined}>
      <i />
      {minutes < 1 ? 'just now' : minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`}
    </span>
  )
}
