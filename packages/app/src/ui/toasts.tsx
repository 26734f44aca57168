import { useEffect, useSyncExternalStore } from 'react'
import { Button, IconButton } from './button.tsx'
import type { Tone } from './feedback.tsx'
import { Icon } from './icon.tsx'
import styles from './toasts.module.css'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: Tone
  readonly action?: { readonly label: string; readonly run: () => void }
  readonly seconds: number
}

let shown: readonly Toast[] = []
let counter = 0
const listeners = new Set<() => void>()

function show(toasts: readonly Toast[]): void {
  shown = toasts
  for (const listen of listeners) listen()
}

/** Says something at the edge of the page for a while. With an action it stays long enough to use it. */
export function toast(text: string, options: { readonly tone?: Tone; readonly action?: Toast['action'] } = {}): void {
  counter += 1
  const { tone = 'info', action } = options
  show([
    ...shown.slice(-3),
    { id: counter, text, tone, seconds: action === undefined ? 5 : 10, ...(action === undefined ? {} : { action }) },
  ])
}

const dismiss = (id: number): void => show(shown.filter((each) => each.id !== id))

const subscribe = (listen: () => void) => {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <section className={styles['toasts']} aria-label="Messages" aria-live="polite">
      {toasts.map((each) => (
        <ToastBox key={each.id} toast={each} />
      ))}
    </section>
  )
}

function ToastBox({ toast: { id, text, tone, action, seconds } }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), seconds * 1000)
    return () => clearTimeout(timer)
  }, [id, seconds])
  return (
    <div className={styles['toast']} data-tone={tone}>
      {tone === 'danger' ? <Icon name="circle-alert" /> : null}
      <span>{text}</span>
      {action === undefined ? null : (
        <Button
          kind="link"
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="x" label="Dismiss" size={14} onClick={() => dismiss(id)} />
    </div>
  )
}
