import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { permissionsQuery, relationsQuery } from '../../api/queries.ts'
import { useIsAdministrator, useLanguage } from '../../app/use-start.ts'
import { noSelection } from '../../grid/selection.ts'
import { undoOffer } from '../../grid/undo-tab.ts'
import { chooseInterface } from '../../interfaces/choose-interface.ts'
import { interfaces } from '../../interfaces/index.ts'
import { collectionLabel } from '../../model/collection.ts'
import { fieldLabel, isReadOnly, type Field } from '../../model/field.ts'
import { kindOf } from '../../model/kind.ts'
import { relationOf } from '../../model/relation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/feedback.tsx'
import { Field as LabelledField } from '../../ui/field.tsx'
import { Input, Switch } from '../../ui/input.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { applyChange, previewChange, type Preview } from './bulk-change.ts'
import { afterWrite, rowCount } from './delete-selected.ts'
import { isGrave } from './grave.ts'
import type { SelectionProps } from './selection-props.ts'
import styles from './bulk.module.css'

interface BulkEditProps extends SelectionProps {
  readonly count: number
  readonly onClose: () => void
}

type Values = Readonly<Record<string, unknown>>

/** Changes some fields of many rows: first a preview, then the same requests for good. */
export function BulkEdit(props: BulkEditProps) {
  const { collection, fields, source, selection, onSelect, count, onClose } = props
  const [values, setValues] = useState<Values>({})
  const [preview, setPreview] = useState<Preview | null>(null)
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState<number | null>(null)
  const [isLooking, setLooking] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const running = useRef<AbortController | null>(null)
  const editable = useEditableFields(collection.collection, fields)
  const isChosen = Object.keys(values).length > 0
  const mustType = preview !== null && isGrave(preview.keys.length, selection.isAll, source.query)
  const change = (next: Values) => {
    setValues(next)
    setPreview(null)
  }
  const look = async () => {
    setLooking(true)
    try {
      setPreview(await previewChange(source.query, selection, values))
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
    setLooking(false)
  }
  const apply = async () => {
    if (preview === null) return
    const controller = new AbortController()
    running.current = controller
    setDone(0)
    try {
      const result = await applyChange(collection, preview.keys, values, {
        signal: controller.signal,
        onProgress: setDone,
      })
      onSelect(noSelection)
      const { act, changed, refusals, isCancelled } = result
      const text = [
        `${rowCount(changed)} changed.`,
        ...(refusals.length === 0 ? [] : [`${rowCount(refusals.length)} refused: ${refusals[0]?.reason ?? ''}`]),
        ...(isCancelled ? ['The rest was cancelled.'] : []),
      ].join(' ')
      toast(text, {
        tone: refusals.length === 0 ? 'info' : 'warn',
        ...(act === null ? {} : { action: undoOffer(act) }),
      })
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
    afterWrite(collection, source.reload)
    onClose()
  }
  return (
    <Dialog
      isOpen
      kind="drawer"
      isUrgent={isChosen}
      onClose={() => {
        running.current?.abort()
        onClose()
      }}
      title={`Edit ${selection.isAll ? 'all matching rows' : rowCount(count)} of ${collectionLabel(collection)}`}
      actions={
        <>
          <Button onClick={() => (running.current === null ? onClose() : running.current.abort())}>Cancel</Button>
          {preview === null ? (
            <Button
              kind="solid"
              icon="eye"
              isBusy={isLooking}
              disabled={!isChosen || isLooking || Object.keys(problems).length > 0}
              onClick={() => void look()}
            >
              Preview
            </Button>
          ) : (
            <Button
              kind="solid"
              icon="check"
              disabled={done !== null || preview.accepted === 0 || (mustType && typed !== collection.collection)}
              onClick={() => void apply()}
            >
              Change {rowCount(preview.keys.length)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles['fields']}>
        <p>Switch on the fields to change. The others keep their values.</p>
        {editable.map((field) => (
          <BulkField
            key={field.field}
            field={field}
            values={values}
            onChange={change}
            onProblem={(problem) =>
              setProblems((before) => {
                const { [field.field]: _, ...rest } = before
                return problem === null ? rest : { ...rest, [field.field]: problem }
              })
            }
          />
        ))}
        {preview === null ? null : (
          <BulkPreview
            collection={collection}
            fields={fields.filter(({ field }) => Object.hasOwn(values, field))}
            preview={preview}
          />
        )}
        {mustType ? (
          <LabelledField
            label={`Type "${collection.collection}" to go on`}
            note="More than 1,000 rows, or all of a collection, will change."
          >
            {(control) => <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
          </LabelledField>
        ) : null}
        {done === null || preview === null ? null : (
          <Progress label={`${done} of ${rowCount(preview.keys.length)}`} done={done} total={preview.keys.length} />
        )}
      </div>
    </Dialog>
  )
}

/** The fields that the caller may give a value to, the same for several rows. */
function useEditableFields(collection: string, fields: readonly Field[]): readonly Field[] {
  const isAdministrator = useIsAdministrator()
  const permissions = useQuery({ ...permissionsQuery, enabled: !isAdministrator }).data
  const allowed = permissions?.[collection]?.['update']?.fields ?? ['*']
  return fields.filter(
    (field) =>
      field.schema !== null &&
      !isReadOnly(field) &&
      !field.schema.is_primary_key &&
      !['rows', 'binary', 'secret'].includes(kindOf(field)) &&
      (isAdministrator || allowed.includes('*') || allowed.includes(field.field)),
  )
}

interface BulkFieldProps {
  readonly field: Field
  readonly values: Values
  readonly onChange: (values: Values) => void
  readonly onProblem: (problem: string | null) => void
}

function BulkField({ field, values, onChange, onProblem }: BulkFieldProps) {
  const language = useLanguage()
  const relations = useQuery(relationsQuery).data ?? []
  const [problem, setProblem] = useState<string | null>(null)
  const name = field.field
  const label = fieldLabel(field, language)
  const isOn = Object.hasOwn(values, name)
  const relation = relationOf(field.collection, name, relations)
  const { component: Control } = interfaces[chooseInterface(field, relation).name]
  const report = (next: string | null) => {
    setProblem(next)
    onProblem(next)
  }
  const turn = (on: boolean) => {
    const { [name]: _, ...rest } = values
    report(null)
    onChange(on ? { ...rest, [name]: startOf(field) } : rest)
  }
  return (
    <section className={styles['field']} aria-label={label}>
      <Switch checked={isOn} onChange={(event) => turn(event.target.checked)}>
        {label}
      </Switch>
      {isOn ? (
        <LabelledField label={`New value of ${label}`} error={problem}>
          {(control) => (
            <Suspense fallback={null}>
              <Control
                field={field}
                label={label}
                value={values[name]}
                base={undefined}
                onChange={(value) => onChange({ ...values, [name]: value })}
                onProblem={report}
                whyLocked={null}
                control={control}
                relation={relation}
                parent={null}
              />
            </Suspense>
          )}
        </LabelledField>
      ) : null}
    </section>
  )
}

/** The value that a switched-on field begins with. */
function startOf(field: Field): unknown {
  if (field.schema?.is_nullable !== false) return null
  return kindOf(field) === 'boolean' ? false : ''
}
