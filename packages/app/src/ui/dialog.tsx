import { lazy, Suspense, type ReactNode } from 'react'

const DialogBox = lazy(async () => ({ default: (await import('./dialog-box.tsx')).DialogBox }))

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** Buttons at the end. */
  readonly actions?: ReactNode
  /** `drawer` comes from the side and leaves the page visible. */
  readonly kind?: 'dialog' | 'wide' | 'drawer'
  /** Asks something that must be answered: a click outside does not close it. */
  readonly isUrgent?: boolean
}

/** A question or a piece of work over the page. */
export const Dialog = (props: DialogProps) =>
  props.isOpen ? (
    <Suspense fallback={null}>
      <DialogBox {...props} />
    </Suspense>
  ) : null
