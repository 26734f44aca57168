import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import type { Placement, TriggerProps } from './popover.tsx'

const MenuBox = lazy(async () => ({ default: (await import('./menu-box.tsx')).MenuBox }))

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly keys?: string
  readonly hint?: string
  readonly isDanger?: boolean
  readonly isChosen?: boolean
  /** Why it cannot be used now; shown below its name. */
  readonly whyNot?: string | null
  readonly run: () => void
}

interface MenuProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly placement?: Placement
  readonly trigger: (props: TriggerProps) => ReactNode
}

/** Actions at a control. */
export function Menu({ label, entries, placement = 'bottom start', trigger }: MenuProps) {
  const control = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {trigger({ ref: control, 'aria-expanded': isOpen, 'aria-haspopup': 'menu', onClick: () => setOpen(!isOpen) })}
      {isOpen ? (
        <Suspense fallback={null}>
          <MenuBox control={control} label={label} entries={entries} placement={placement} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
