import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import type { Placement } from './popover.tsx'
import styles from './popover.module.css'

interface PopoverBoxProps {
  readonly control: RefObject<HTMLElement | null>
  readonly label: string
  readonly placement: Placement
  readonly isMatched: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly children: ReactNode
}

export const PopoverBox = ({ control, label, placement, isMatched, onOpenChange, children }: PopoverBoxProps) => (
  <Popover
    isOpen
    onOpenChange={onOpenChange}
    triggerRef={control}
    placement={placement}
    offset={6}
    className={styles['box'] ?? ''}
    {...(isMatched ? { style: { width: control.current?.offsetWidth ?? 'auto' } } : {})}
  >
    <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
      {children}
    </Dialog>
  </Popover>
)
