import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Input, Select, Switch, TextArea } from '../ui/input.tsx'
import type { Role } from './holders.ts'
import { PersonPicker } from './person-picker.tsx'
import type { Attachment, PolicyDraft } from './policy-draft.ts'
import type { PolicyProperties } from './queries.ts'
import styles from './policy-settings.module.css'

interface PolicySettingsProps {
  readonly draft: PolicyDraft
  readonly roles: readonly Role[]
  readonly nameOf: (attachment: Attachment) => string
  readonly whyNot: string | null
  readonly onChange: (part: Partial<PolicyDraft>) => void
  readonly onClose: () => void
}

/** The name of a policy, who has it, and what it demands. Part of the same draft as its permissions. */
export function PolicySettings({ draft, roles, nameOf, whyNot, onChange, onClose }: PolicySettingsProps) {
  const { properties, attachments } = draft
  const set = (part: Partial<PolicyProperties>) => onChange({ properties: { ...properties, ...part } })
  const attach = (role: string | null, user: string | null) => {
    if (attachments.some((each) => each.role === role && each.user === user)) return
    onChange({ attachments: [...attachments, { id: null, role, user }] })
  }
  const isReadOnly = whyNot !== null
  const free = roles.filter(({ id }) => !attachments.some(({ role }) => role === id))
  return (
    <Dialog
      isOpen
      kind="drawer"
      title="Policy settings"
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles['form']}>
        <p className={styles['note']}>These are part of your draft. Nothing is saved before you review it.</p>
        <Field label="Name" isRequired error={properties.name.trim() === '' ? 'A policy needs a name.' : null}>
          {(control) => (
            <Input
              {...control}
              readOnly={isReadOnly}
              value={properties.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Description">
          {(control) => (
            <TextArea
              {...control}
              readOnly={isReadOnly}
              value={properties.description ?? ''}
              onChange={(event) => set({ description: event.target.value === '' ? null : event.target.value })}
            />
          )}
        </Field>
        <section aria-label="Used by" className={styles['section']}>
          <h3>Used by</h3>
          <ul className={styles['list']}>
            {attachments.map((each) => (
              <li key={`${each.role} ${each.user}`} data-new={each.id === null || undefined}>
                <Icon name={each.role !== null ? 'users-round' : each.user !== null ? 'user' : 'globe'} size={15} />
                <span>{nameOf(each)}</span>
                <IconButton
                  icon="x"
                  label={`Take it from ${nameOf(each)}`}
                  size={14}
                  disabled={isReadOnly}
                  onClick={() => onChange({ attachments: attachments.filter((other) => other !== each) })}
                />
              </li>
            ))}
          </ul>
          {attachments.length === 0 ? <p className={styles['note']}>Nobody has it yet.</p> : null}
          <div className={styles['add']}>
            <Select
              aria-label="Give it to a role"
              value=""
              disabled={isReadOnly || free.length === 0}
              onChange={(event) => attach(event.target.value, null)}
              choices={[{ value: '', text: 'Add a role…' }, ...free.map(({ id, name }) => ({ value: id, text: name }))]}
            />
            {isReadOnly ? null : (
              <PersonPicker
                label="Give it to a user"
                empty="Add a user…"
                chosen={null}
                onChoose={(caller) => attach(null, caller === 'public' ? null : caller.id)}
              />
            )}
          </div>
        </section>
        <section aria-label="Access" className={styles['section']}>
          <h3>Access</h3>
          <Switch
            checked={properties.app_access}
            disabled={isReadOnly}
            onChange={(event) => set({ app_access: event.target.checked })}
          >
            May use this app
          </Switch>
          <Switch
            checked={properties.admin_access}
            disabled={isReadOnly}
            onChange={(event) => set({ admin_access: event.target.checked })}
          >
            Administrator: may do everything
          </Switch>
          <Switch
            checked={properties.enforce_tfa}
            disabled={isReadOnly}
            onChange={(event) => set({ enforce_tfa: event.target.checked })}
          >
            Second factor required
          </Switch>
        </section>
        <Field label="IP addresses" note="One address or range on each line, such as 10.0.0.0/8. Empty: from anywhere.">
          {(control) => (
            <TextArea
              {...control}
              readOnly={isReadOnly}
              value={(properties.ip_access ?? []).join('\n')}
              onChange={(event) => {
                const lines = event.target.value.split('\n')
                set({ ip_access: event.target.value === '' ? null : lines })
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}
