import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { IconButton } from './button.tsx'
import type { DialogProps } from './dialog.tsx'
import styles from './dialog.module.css'

export const DialogBox = ({ onClose, title, children, actions, kind = 'dialog', isUrgent = false }: DialogProps) => (
  <ModalOverlay
    isOpen
    isDismissable={!isUrgent}
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose()
    }}
    className={styles['scrim'] ?? ''}
    data-kind={kind}
  >
    <Modal className={styles['box'] ?? ''} data-kind={kind}>
      <Dialog className={styles['dialog'] ?? ''}>
        <header className={styles['head']}>
          <Heading slot="title" className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <IconButton icon="x" label="Close" onClick={onClose} />
        </header>
        <div className={styles['body']}>{children}</div>
        {actions === undefined ? null : <footer className={styles['actions']}>{actions}</footer>}
      </Dialog>
    </Modal>
  </ModalOverlay>
)
