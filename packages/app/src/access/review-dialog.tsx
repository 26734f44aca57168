import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useStart } from '../app/use-start.ts'
import { collectionLabel } from '../model/collection.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { changesOf, previewOf } from './draft.ts'
import { effectsOf, type Direction, type Effect } from './effect.ts'
import { callerId, PersonPicker, type Caller } from './person-picker.tsx'
import { policyChangeCount, policyChanges, propertySentence, type PolicyDraft } from './policy-draft.ts'
import { previewQuery } from './preview.ts'
import { useHolder } from './use-holder.ts'
import { collectionWords, counted } from './words.ts'
import styles from './review-dialog.module.css'

interface ReviewDialogProps {
  readonly policy: string
  readonly saved: PolicyDraft
  readonly draft: PolicyDraft
  /** `4 people through Sales and Key accounts` */
  readonly who: string
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly isPublic: boolean
  /** The names of roles and users that are attached or detached. */
  readonly nameOf: (attachment: { readonly role: string | null; readonly user: string | null }) => string
  readonly error: unknown
  readonly isSaving: boolean
  readonly notice: string | null
  readonly onSave: () => void
  readonly onClose: () => void
}

const directions: Readonly<Record<Direction, { readonly icon: IconName; readonly title: string }>> = {
  gains: { icon: 'plus', title: 'Gains' },
  loses: { icon: 'minus', title: 'Loses' },
  changes: { icon: 'diff', title: 'Changes' },
}

/** What a draft changes for whom, before it is saved. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { policy, saved, draft, who, error, isSaving, notice, onSave, onClose, nameOf } = props
  const { collections } = useStart()
  const changes = policyChanges(saved, draft)
  const count = policyChangeCount(changes)
  const labelOf = (name: string) => {
    const found = collections.find(({ collection }) => collection === name)
    return found === undefined || found.system === true ? collectionWords(name) : collectionLabel(found)
  }
  const effects = effectsOf(saved.permissions, draft.permissions, labelOf)
  const holder = useHolder(props.roles, props.users, props.isPublic)
  const [chosen, setChosen] = useState<Caller | null>(null)
  const caller = chosen ?? holder
  const staged = previewOf(changesOf(saved.permissions, draft.permissions), policy)
  return (
    <Dialog
      isOpen
      kind="wide"
      title={`Review ${counted(count, 'change')}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back to editing</Button>
          <Button kind="solid" icon="check" isBusy={isSaving} disabled={isSaving || count === 0} onClick={onSave}>
            {`Save ${counted(count, 'change')}`}
          </Button>
        </>
      }
    >
      <div className={styles['review']}>
        <p className={styles['who']}>{who} Nothing has been changed yet.</p>
        {notice === null ? null : <Notice tone="warn">{notice}</Notice>}
        {error === null ? null : (
          <Notice tone="danger" title="Nothing was saved">
            {messageOf(error)}
          </Notice>
        )}
        {changes.attached.length + changes.detached.length + changes.properties.length === 0 ? null : (
          <ul className={styles['list']}>
            {changes.attached.map((each, index) => (
              <li key={`attached ${index}`} data-direction="gains">
                <Icon name="plus" size={15} />
                <span>
                  <strong>{nameOf(each)}</strong> gets this policy
                </span>
              </li>
            ))}
            {changes.detached.map((each) => (
              <li key={each.id} data-direction="loses">
                <Icon name="minus" size={15} />
                <span>
                  <strong>{nameOf(each)}</strong> loses this policy
                </span>
              </li>
            ))}
            {changes.properties.map((name) => (
              <li key={name} data-direction="changes">
                <Icon name="diff" size={15} />
                <span>{propertySentence(name, saved, draft)}</span>
              </li>
            ))}
          </ul>
        )}
        {effects.length === 0 ? null : (
          <>
            <div className={styles['as']}>
              Rows counted for
              <PersonPicker label="Count rows for" chosen={caller} onChoose={setChosen} hasPublic />
            </div>
            <ul className={styles['list']} aria-label="Effects">
              {effects.map((effect) => (
                <EffectLine key={effect.title} effect={effect} caller={caller} staged={staged} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

interface EffectLineProps {
  readonly effect: Effect
  readonly caller: Caller | null
  readonly staged: readonly unknown[]
}

function EffectLine({ effect, caller, staged }: EffectLineProps) {
  const { icon, title } = directions[effect.direction]
  return (
    <li data-direction={effect.direction}>
      <Icon name={icon} size={15} />
      <span>
        <em>{title}</em> <strong>{effect.title}</strong>
        <small>{effect.details.join(' · ')}</small>
      </span>
      {caller === null || effect.action === 'create' ? null : (
        <RowCount effect={effect} caller={caller} staged={staged} />
      )}
    </li>
  )
}

function RowCount({ effect, caller, staged }: EffectLineProps & { readonly caller: Caller }) {
  const [isAsked, setAsked] = useState(false)
  const { data, error } = useQuery({
    ...previewQuery(callerId(caller), effect.collection, effect.action, staged, 0),
    enabled: isAsked,
  })
  if (!isAsked)
    return (
      <Button kind="link" aria-label={`Count the rows of ${effect.title}`} onClick={() => setAsked(true)}>
        Count rows
      </Button>
    )
  if (error !== null) return <small className={styles['failed']}>{messageOf(error)}</small>
  if (data === undefined) return <small>Counting…</small>
  const text = ({ count, is_capped }: typeof data.before) => `${count.toLocaleString('en')}${is_capped ? '+' : ''}`
  return (
    <span className={styles['count']}>
      {text(data.before) === text(data.after)
        ? `${text(data.after)} rows, as today`
        : `${text(data.before)} → ${text(data.after)} rows`}
    </span>
  )
}
