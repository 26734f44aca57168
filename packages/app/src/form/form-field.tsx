import { memo, Suspense, useSyncExternalStore } from 'react'
import { chooseInterface } from '../interfaces/choose-interface.ts'
import { interfaces } from '../interfaces/index.ts'
import { formatHint } from '../interfaces/scalar-text.ts'
import { zoneName } from '../interfaces/zone.ts'
import { fieldLabel, isRequired, type Field } from '../model/field.ts'
import { Field as Labelled } from '../ui/field.tsx'
import { conditionThatHolds, underCondition } from './conditions.ts'
import { valuesOf } from './draft.ts'
import { useForm } from './form-context.ts'
import { isGroup, widthOf, type FormField } from './form-fields.ts'
import { FieldMenu } from './field-menu.tsx'
import { Group } from './group.tsx'
import { whyLocked as whyLockedOf } from './locks.ts'
import { LongValue } from './long-value.tsx'
import { noteNodes } from './note.tsx'
import { useIsEdited, useValue } from './use-draft.ts'
import styles from './form.module.css'

/** The field as its conditions make it now. */
function useConditions(field: Field): Field {
  const { store, dynamic } = useForm()
  const hasAny = (field.meta?.conditions ?? []).length > 0
  const place = useSyncExternalStore(store.subscribe, () =>
    hasAny ? conditionThatHolds(field, valuesOf(store.draft()), dynamic) : -1,
  )
  return underCondition(field, place)
}

/** One field of a form: it is drawn again only when its own value or state changes. */
export const FormFieldView = memo(function FormFieldView({ formField }: { readonly formField: FormField }) {
  const field = useConditions(formField.field)
  if (field.meta?.hidden === true) return null
  const width = widthOf(field)
  return (
    <>
      <div
        className={styles['cell']}
        data-width={width}
        data-collection={field.collection}
        data-field={field.field}
        data-group={isGroup(field) || undefined}
      >
        {isGroup(field) ? (
          <Group field={field} fields={formField.children}>
            {formField.children.map((each) => (
              <FormFieldView key={each.field.field} formField={each} />
            ))}
          </Group>
        ) : (
          <Control field={field} formField={formField} />
        )}
      </div>
      {width === 'half-space' ? <div className={styles['gap']} aria-hidden="true" /> : null}
    </>
  )
})

function Control({ field, formField: { relation } }: { readonly field: Field; readonly formField: FormField }) {
  const { store, rights, errors, language, isAdministrator, collection, itemKey } = useForm()
  const name = field.field
  const value = useValue(store, name)
  const isEdited = useIsEdited(store, name)
  const label = fieldLabel(field, language)
  const whyLocked = whyLockedOf(field, rights)
  const chosen = chooseInterface(field, relation)
  const { component: Interface, isBare } = interfaces[chosen.name]
  const shared = {
    field,
    label,
    value,
    base: store.draft().base[name],
    onChange: (next: unknown) => store.change(name, next),
    onProblem: (problem: string | null) => store.setProblem(name, problem),
    whyLocked,
    relation,
    parent: { collection: collection.collection, key: itemKey, store },
  }
  if (isBare === true)
    return (
      <Interface
        {...shared}
        control={{ id: name, 'aria-describedby': undefined, 'aria-invalid': undefined, 'aria-required': undefined }}
      />
    )
  const note = noteOf(field, isAdministrator ? chosen.note : null, whyLocked)
  return (
    <Labelled
      label={label}
      {...(note === null ? {} : { note })}
      error={errors.get(name) ?? null}
      isRequired={isRequired(field) && field.type !== 'alias' && whyLocked === null}
      isEdited={isEdited}
      aside={
        <span className={styles['aside']}>
          <code className={styles['type']} title={field.schema?.data_type ?? field.type}>
            {field.type === 'alias' ? '' : (field.schema?.data_type ?? field.type)}
          </code>
          <FieldMenu field={field} label={label} whyLocked={whyLocked} />
        </span>
      }
    >
      {(control) => (
        <Suspense fallback={<div className={styles['waiting']} />}>
          <LongValue value={value} isLocked={whyLocked !== null}>
            <Interface {...shared} control={control} />
          </LongValue>
        </Suspense>
      )}
    </Labelled>
  )
}

/** What stands below a control: the note of the data model, the form of values, why it is locked. */
function noteOf(field: Field, forAdministrators: string | null, whyLocked: string | null) {
  const text = field.meta?.note ?? field.schema?.comment ?? formatHint(field)
  const zone = field.type === 'timestamp' ? zoneName() : null
  if (text === null && zone === null && forAdministrators === null && whyLocked === null) return null
  return (
    <>
      {text === null ? null : <span>{noteNodes(text)} </span>}
      {zone === null ? null : <span>{zone} </span>}
      {forAdministrators === null ? null : <span className={styles['aboutInterface']}>{forAdministrators}</span>}
      {whyLocked === null ? null : <span className="visually-hidden">Read-only. {whyLocked}</span>}
    </>
  )
}
