import { lazy, Suspense, useRef, type ReactNode, type RefObject } from 'react'

/** Loaded when the first overlay opens: the first screen needs none. */
const PopoverBox = lazy(async () => ({ default: (await import('./popover-box.tsx')).PopoverBox }))

export type Placement = 'bottom start' | 'bottom end' | 'top start' | 'bottom' | 'right top'

interface PopoverProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Read aloud as the name of the box. */
  readonly label: string
  readonly placement?: Placement
  /** The control that opens it. Attach the given properties to it. */
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly children: ReactNode
  /** As wide as its control. */
  readonly isMatched?: boolean
}

export interface TriggerProps {
  readonly ref: RefObject<HTMLButtonElement | null>
  readonly 'aria-expanded': boolean
  readonly 'aria-haspopup': 'dialog' | 'menu'
  readonly onClick: () => void
}

/** A box at a control. It opens where it is asked for, holds the focus and gives it back. */
export function Popover({
  isOpen,
  onOpenChange,
  label,
  placement = 'bottom start',
  trigger,
  children,
  isMatched = false,
}: PopoverProps) {
  const control = useRef<HTMLButtonElement>(null)
  return (
    <>
      {trigger({
        ref: control,
        'aria-expanded': isOpen,
        'aria-haspopup': 'dialog',
        onClick: () => onOpenChange(!isOpen),
      })}
      {isOpen ? (
        <Suspense fallback={null}>
          <PopoverBox
            control={control}
            label={label}
            placement={placement}
            isMatched={isMatched}
            onOpenChange={onOpenChange}
          >
            {children}
          </PopoverBox>
        </Suspense>
      ) : null}
    </>
  )
}
