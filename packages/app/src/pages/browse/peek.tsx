import { useQuery } from '@tanstack/react-query'
import { readItem } from '../../api/items.ts'
import { Failure } from '../../app/faces.tsx'
import { useLanguage, useStart } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import { collectionLabel, type Collection } from '../../model/collection.ts'
import { fieldLabel, type Field } from '../../model/field.ts'
import { keyOf, keyPaths, keyText, type Row } from '../../model/key.ts'
import { below, pathOf } from '../../model/path.ts'
import { kindOf } from '../../model/kind.ts'
import { isPresentation } from '../../model/relation.ts'
import { fillTemplate, templatePaths } from '../../model/template.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import styles from './peek.module.css'

interface PeekProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly row: Row
  readonly onOpen: (row: Row) => void
  readonly onClose: () => void
}

/** All fields of a row at the side, to read. */
export function Peek({ collection, fields, row, onOpen, onClose }: PeekProps) {
  const { collections } = useStart()
  const language = useLanguage()
  const key = keyOf(collection, row)
  const shown = fields.filter((field) => !isPresentation(field) && kindOf(field) !== 'rows')
  const targets = new Map(
    shown.flatMap((field) => {
      const target = collections.find((each) => each.collection === field.schema?.foreign_key_table)
      return target === undefined ? [] : [[field.field, target] as const]
    }),
  )
  const asked = shown.flatMap(({ field }) => {
    const target = targets.get(field)
    if (target === undefined) return [pathOf(field)]
    return [...keyPaths(target), ...templatePaths(target.display_template ?? '')].map((path) => below(field, path))
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['items', collection.collection, 'peek', key],
    enabled: key !== null,
    queryFn: async ({ signal }) =>
      key === null ? row : (await readItem(collection, key, { fields: asked }, signal)).data,
  })
  const read = key === null ? row : data
  return (
    <Dialog
      isOpen
      kind="drawer"
      onClose={onClose}
      title={key === null ? collectionLabel(collection) : `${collectionLabel(collection)} ${keyText(key)}`}
      actions={
        key === null ? undefined : (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button kind="solid" icon="external-link" onClick={() => onOpen(row)}>
              Open
            </Button>
          </>
        )
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {read === undefined ? (
        error === null ? (
          <Skeleton lines={8} />
        ) : null
      ) : (
        <dl className={styles['fields']}>
          {shown.map((field) => (
            <div key={field.field}>
              <dt>{fieldLabel(field, language)}</dt>
              <dd dir="auto">
                <PeekValue field={field} value={read[field.field]} target={targets.get(field.field)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  )
}

interface PeekValueProps {
  readonly field: Field
  readonly value: unknown
  readonly target: Collection | undefined
}

function PeekValue({ field, value, target }: PeekValueProps) {
  const language = useLanguage()
  if (target === undefined || typeof value !== 'object' || value === null)
    return <Value value={value} field={field} language={language} />
  const words = fillTemplate(target.display_template ?? '', value as Row)
  const key = keyOf(target, value as Row)
  return <>{words === '' ? (key === null ? '' : keyText(key)) : words}</>
}
