import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import type { Role } from '../../access/holders.ts'
import { counted } from '../../access/words.ts'
import { Field } from '../../ui/field.tsx'
import { Select, TextArea } from '../../ui/input.tsx'
import { toast } from '../../ui/toasts.tsx'
import { addressesIn } from './new-accounts.ts'
import styles from './users.module.css'

/** Invites people by their addresses, many at once. */
export function InviteDialog({ roles, onClose }: { readonly roles: readonly Role[]; readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState('')
  const { addresses, wrong } = addressesIn(text)
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title="Invite people"
      confirm={addresses.length === 0 ? 'Send invitations' : `Invite ${counted(addresses.length, 'person', 'people')}`}
      onClose={onClose}
      onConfirm={async () => {
        if (addresses.length === 0) throw new Error('Enter at least one e-mail address.')
        if (role === '') throw new Error('Choose the role that they get.')
        await request('POST', '/users/invite', { body: { email: addresses, role } })
        await client.invalidateQueries({ queryKey: ['access'] })
        toast(`Invited ${counted(addresses.length, 'person', 'people')}.`, { tone: 'good' })
      }}
    >
      <div className={styles['form']}>
        <Field
          label="E-mail addresses"
          isRequired
          note="One on each line, or with commas between."
          error={wrong.length === 0 ? null : `Not an address: ${wrong.join(', ')}`}
        >
          {(control) => (
            <TextArea {...control} rows={5} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
        <Field label="Role" isRequired note="It decides what they may see and do.">
          {(control) => (
            <Select
              {...control}
              value={role}
              onChange={(event) => setRole(event.target.value)}
              choices={[
                { value: '', text: 'Choose a role' },
                ...roles.map(({ id, name }) => ({ value: id, text: name })),
              ]}
            />
          )}
        </Field>
        <p className={styles['note']}>
          Each gets a link by mail to set a password, if the service is set up to send mails.
        </p>
      </div>
    </ConfirmDialog>
  )
}
