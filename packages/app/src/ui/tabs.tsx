import { useRef, type KeyboardEvent } from 'react'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import styles from './tabs.module.css'

export interface Tab<I extends string> {
  readonly id: I
  readonly label: string
  readonly icon?: IconName
  readonly count?: number
}

interface TabsProps<I extends string> {
  readonly label: string
  readonly tabs: readonly Tab<I>[]
  readonly chosen: I
  readonly onChoose: (id: I) => void
  /** The id of the element that shows the chosen tab. */
  readonly controls: string
}

/** Arrow keys move between tabs; Tab leaves them. */
export function Tabs<I extends string>({ label, tabs, chosen, onChoose, controls }: TabsProps<I>) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (tabs.findIndex(({ id }) => id === chosen) + step + tabs.length) % tabs.length
    const next = tabs[at]
    if (next === undefined) return
    onChoose(next.id)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[at]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={label} className={styles['tabs']} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label: text, icon, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls={controls}
          tabIndex={id === chosen ? 0 : -1}
          className={styles['tab']}
          onClick={() => onChoose(id)}
        >
          {icon === undefined ? null : <Icon name={icon} size={14} />}
          {text}
          {count === undefined ? null : <em>{count}</em>}
        </button>
      ))}
    </div>
  )
}
