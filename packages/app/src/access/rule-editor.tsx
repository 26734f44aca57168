import { useEffect, useRef, useState } from 'react'
import type { Filter } from '../filter/tree.ts'
import {
  columns,
  actionWords,
  hasFields,
  isEveryRow,
  levelOf,
  levels,
  levelWords,
  ruleMember,
  ruleOf,
  type Column,
  type Permission,
} from './permission.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Notice } from '../ui/feedback.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { cellOf, withLevel, withPermission, type Place } from './draft.ts'
import { FieldChecklist } from './field-checklist.tsx'
import { JsonField } from './json-field.tsx'
import { LevelMark } from './level-mark.tsx'
import type { MatrixProps } from './matrix-props.ts'
import { RuleField } from './rule-field.tsx'
import { RulePreview } from './rule-preview.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import styles from './rule-editor.module.css'

interface RuleEditorProps extends MatrixProps {
  readonly place: Place
  readonly label: string
  readonly onPlace: (place: Place) => void
  readonly onClose: () => void
}

/** The opened row of the matrix: the rule of one action, its fields, and what it does for one user. */
export function RuleEditor(props: RuleEditorProps) {
  const { place, label, draft, saved, onChange, onPlace, onClose, whyNot } = props
  const cell = cellOf(draft, place)
  const level = levelOf(cell)
  const isReadOnly = whyNot !== null
  const panel = `rule-${place.collection}`
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    // A menu gives the focus back to its cell when it closes; the editor takes it after that.
    const timer = setTimeout(
      () => box.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(),
      80,
    )
    return () => clearTimeout(timer)
  }, [])
  return (
    <section ref={box} className={styles['editor']} aria-label={`Permissions on ${label}`}>
      <div className={styles['head']}>
        <Tabs
          label={`Actions on ${label}`}
          tabs={columns.map((action) => ({ id: action, label: actionWords[action] }))}
          chosen={place.action as Column}
          onChoose={(action) => onPlace({ ...place, action })}
          controls={panel}
        />
        <IconButton icon="x" label={`Close the permissions on ${label}`} onClick={onClose} />
      </div>
      <div id={panel} role="tabpanel" aria-label={actionWords[place.action]} className={styles['panel']}>
        <div className={styles['rule']}>
          <div className={styles['levels']} role="group" aria-label="Rows">
            {levels.map((each) => (
              <button
                key={each}
                type="button"
                className={styles['level']}
                aria-pressed={level === each}
                disabled={isReadOnly || (each === 'rule' && level !== 'rule')}
                title={each === 'rule' && level !== 'rule' ? 'Write a rule below' : undefined}
                onClick={() => onChange(withLevel(draft, saved, place, each))}
              >
                <LevelMark level={each} />
                {levelWords[each]}
              </button>
            ))}
          </div>
          {/* An empty cell has the same form, so that it stays open while the first rule is written. */}
          {(cell.length === 0 ? [blankAt(place)] : cell).map((permission, index) => (
            <PermissionForm
              key={`${place.action} ${index}`}
              permission={permission}
              isBlank={cell.length === 0}
              title={cell.length > 1 ? `Rule ${index + 1} of ${cell.length}` : null}
              isReadOnly={isReadOnly}
              onChange={(next) => {
                if (cell.length > 0) onChange(withPermission(draft, permission, next))
                else if (!isEveryRow(ruleOf(next))) onChange(withLevel(draft, saved, place, 'rule', ruleOf(next)))
              }}
              onRemove={() => onChange(draft.filter((each) => each !== permission))}
            />
          ))}
        </div>
        <RulePreview {...props} />
      </div>
    </section>
  )
}

const blankAt = (place: Place): Permission => ({
  id: null,
  ...place,
  permissions: null,
  validation: null,
  presets: null,
  fields: ['*'],
})

interface PermissionFormProps {
  readonly permission: Permission
  /** There is no permission yet. */
  readonly isBlank: boolean
  readonly title: string | null
  readonly isReadOnly: boolean
  readonly onChange: (permission: Permission) => void
  readonly onRemove: () => void
}

function PermissionForm({ permission, isBlank, title, isReadOnly, onChange, onRemove }: PermissionFormProps) {
  const { collection, action } = permission
  const isWriting = action === 'create' || action === 'update'
  const [isMore, setMore] = useState(
    () => isWriting && (permission.presets !== null || (action === 'update' && permission.validation !== null)),
  )
  const set = (member: 'permissions' | 'validation' | 'presets') => (value: Filter | null) =>
    onChange({ ...permission, [member]: value })
  return (
    <div className={styles['form']}>
      {title === null ? null : (
        <div className={styles['title']}>
          <strong>{title}</strong>
          <Button kind="danger" disabled={isReadOnly} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
      {isBlank ? (
        <p className={styles['nothing']}>Nobody gets this from the policy. Choose all rows, or write a rule.</p>
      ) : (
        <RuleSentence collection={collection} action={action} rule={ruleOf(permission)} />
      )}
      <RuleField
        collection={collection}
        label={action === 'create' ? 'Values that new rows must have' : 'Rule'}
        value={ruleOf(permission)}
        isReadOnly={isReadOnly}
        onChange={set(ruleMember(action))}
      />
      {hasFields(action) && !isBlank ? (
        <FieldChecklist
          collection={collection}
          chosen={permission.fields ?? []}
          isReadOnly={isReadOnly}
          onChange={(fields) => onChange({ ...permission, fields })}
        />
      ) : null}
      {hasFields(action) && (permission.fields ?? []).length === 0 ? (
        <Notice tone="warn">Without fields this permission allows nothing.</Notice>
      ) : null}
      {isWriting && !isBlank ? (
        isMore ? (
          <>
            {action === 'update' ? (
              <JsonField
                label="Values that changed rows must have"
                note="A change that breaks this condition is refused."
                value={permission.validation}
                isReadOnly={isReadOnly}
                onChange={set('validation')}
              />
            ) : null}
            <JsonField
              label="Preset values"
              note='Filled in where the request names no value, for example {"author": "$CURRENT_USER"}.'
              value={permission.presets}
              isReadOnly={isReadOnly}
              onChange={set('presets')}
            />
          </>
        ) : (
          <Button kind="link" onClick={() => setMore(true)}>
            {action === 'create' ? 'Preset values…' : 'Conditions on values and presets…'}
          </Button>
        )
      ) : null}
    </div>
  )
}
