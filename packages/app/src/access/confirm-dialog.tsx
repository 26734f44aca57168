import { useState, type ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/feedback.tsx'
import styles from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly confirm: string
  readonly isDanger?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done that is hard to take back. Stays open, and says why, when it fails. */
export function ConfirmDialog({ title, children, confirm, isDanger = false, onConfirm, onClose }: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={isDanger ? 'danger' : 'solid'} isBusy={isBusy} disabled={isBusy} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {children}
        {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
      </div>
    </Dialog>
  )
}
