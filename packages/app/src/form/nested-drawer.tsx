import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo, useRef, useState } from 'react'
import { readItem } from '../api/items.ts'
import { fieldsQuery, permissionsQuery, relationsQuery } from '../api/queries.ts'
import { useStart } from '../app/use-start.ts'
import { Failure } from '../app/faces.tsx'
import { may, type Collection } from '../model/collection.ts'
import type { Row } from '../model/key.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, Skeleton } from '../ui/feedback.tsx'
import { checkDraft } from './check.ts'
import { createDraftStore } from './draft-store.ts'
import { Form, useDynamic } from './form.tsx'
import { FormPlace } from './form-context.ts'
import { flatFields, formFields, type FormField } from './form-fields.ts'
import { defaultOf, whyRowLocked, type FormRights } from './locks.ts'
import { useChangeCount } from './use-draft.ts'
import { useFirstFocus } from './use-first-focus.ts'
import styles from './form.module.css'

interface NestedDrawerProps {
  readonly collection: Collection
  /** Null: a new row. */
  readonly itemKey: string | null
  /** What is staged for the row already. */
  readonly patch: Row
  /** The field that refers back to the form it is opened from: it is filled by itself. */
  readonly omit: string | null
  readonly title: string
  readonly onDone: (patch: Row) => void
  readonly onClose: () => void
}

/** A related row in a drawer. Nothing is sent: its changes become a part of the row below. */
export function NestedDrawer(props: NestedDrawerProps) {
  const { collection, itemKey, omit, title, onClose } = props
  const { collections } = useStart()
  const fields = useQuery(fieldsQuery(collection.collection))
  const relations = useQuery(relationsQuery)
  const permissions = useQuery(permissionsQuery)
  const row = useQuery({
    queryKey: ['items', collection.collection, 'nested', itemKey],
    enabled: itemKey !== null,
    staleTime: 0,
    queryFn: async ({ signal }) => (await readItem(collection, itemKey ?? '', {}, signal)).data,
  })
  const action = itemKey === null ? 'create' : 'update'
  const access = permissions.data?.[collection.collection]?.[action]
  const rights = useMemo<FormRights>(
    () => ({
      collection,
      isNew: itemKey === null,
      isViewedAs: false,
      mayWrite: may(collection, action),
      fields: access?.fields ?? ['*'],
    }),
    [collection, itemKey, action, access?.fields],
  )
  const shown = useMemo(
    () =>
      fields.data === undefined || relations.data === undefined
        ? null
        : formFields(collection, fields.data, relations.data, (name) =>
            collections.some((each) => each.collection === name && may(each, 'read')),
          ).filter((each) => each.field.field !== omit),
    [collection, fields.data, relations.data, collections, omit],
  )
  const base =
    itemKey === null
      ? Object.fromEntries(
          (fields.data ?? []).flatMap((field) => {
            const value = defaultOf(field)
            return value === undefined ? [] : [[field.field, value]]
          }),
        )
      : row.data
  const error = fields.error ?? relations.error ?? permissions.error ?? row.error
  if (shown !== null && base !== undefined && permissions.data !== undefined)
    return <NestedForm {...props} fields={shown} base={base} rights={rights} />
  return (
    <Dialog isOpen kind="drawer" title={title} onClose={onClose}>
      {error === null ? <Skeleton lines={6} /> : <Failure error={error} />}
    </Dialog>
  )
}

interface NestedFormProps extends NestedDrawerProps {
  readonly fields: readonly FormField[]
  readonly base: Row
  readonly rights: FormRights
}

function NestedForm({ collection, itemKey, patch, title, onDone, onClose, fields, base, rights }: NestedFormProps) {
  const depth = (useContext(FormPlace)?.depth ?? 0) + 1
  const dynamic = useDynamic()
  const [store] = useState(() => createDraftStore(base, patch))
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const count = useChangeCount(store)
  const whyLocked = whyRowLocked(rights)
  const box = useRef<HTMLDivElement>(null)
  useFirstFocus(box)
  const finish = () => {
    const problems = new Map([
      ...checkDraft(flatFields(fields), store.draft(), itemKey === null, dynamic),
      ...store.problems(),
    ])
    setErrors(problems)
    if (problems.size === 0) onDone(store.draft().patch)
  }
  return (
    <Dialog
      isOpen
      isUrgent={count > 0}
      kind="drawer"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="solid"
            disabled={whyLocked !== null || (itemKey !== null && count === 0 && Object.keys(patch).length === 0)}
            onClick={finish}
          >
            {itemKey === null ? 'Add' : 'Keep changes'}
          </Button>
        </>
      }
    >
      {whyLocked === null ? null : <Notice>{whyLocked}</Notice>}
      {errors.size === 0 ? null : (
        <Notice tone="danger">{errors.size === 1 ? 'One field needs' : `${errors.size} fields need`} attention.</Notice>
      )}
      <div ref={box} className={styles['nested']}>
        <Form
          collection={collection}
          itemKey={itemKey}
          fields={fields}
          store={store}
          rights={rights}
          errors={errors}
          depth={depth}
        />
      </div>
    </Dialog>
  )
}
