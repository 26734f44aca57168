import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './form.module.css'

/** Characters above which a control makes the whole form slow. */
const LONG = 50_000
const SHOWN = 280

interface LongValueProps {
  readonly value: unknown
  readonly isLocked: boolean
  /** The control, drawn when all of the value is asked for. */
  readonly children: ReactNode
}

/** Shows the beginning of a very long value, and its control only when somebody asks for it. */
export function LongValue({ value, isLocked, children }: LongValueProps) {
  const [text, setText] = useState(() => longText(value))
  if (text === null) return children
  return (
    <div className={styles['long']}>
      <p dir="auto">{text.slice(0, SHOWN)}…</p>
      <div>
        <Button icon={isLocked ? 'eye' : 'pencil'} onClick={() => setText(null)}>
          {isLocked ? 'Show all of it' : 'Edit all of it'}
        </Button>
        <small>{text.length.toLocaleString()} characters</small>
      </div>
    </div>
  )
}

function longText(value: unknown): string | null {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : ''
  return text.length > LONG ? text : null
}
