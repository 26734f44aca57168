import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { readItems } from '../../api/items.ts'
import { DEEPEST, useForm } from '../../form/form-context.ts'
import { useRowLabel } from '../../form/use-row-label.ts'
import { collectionLabel, may } from '../../model/collection.ts'
import { itemRoute, keyOf, type Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/chip.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { isNullable, type InterfaceProps } from '../interface.ts'
import { TextInput } from '../input.tsx'
import styles from './m2o.module.css'
import { pathOf } from '../../model/path.ts'

const Picker = lazy(async () => ({ default: (await import('./picker.tsx')).Picker }))
const NestedDrawer = lazy(async () => ({ default: (await import('../../form/nested-drawer.tsx')).NestedDrawer }))
const RowChooser = lazy(async () => ({ default: (await import('../rows/row-chooser.tsx')).RowChooser }))

/** A reference to one row: it shows what the row is called, and a picker finds another one. */
export function ToOneInput(props: InterfaceProps) {
  const { relation } = props
  const target = useRowLabel(relation?.kind === 'm2o' ? relation.to : '')
  if (relation?.kind !== 'm2o') return null
  return target === null ? <TextInput {...props} /> : <Reference {...props} target={target} />
}

interface ReferenceProps extends InterfaceProps {
  readonly target: NonNullable<ReturnType<typeof useRowLabel>>
}

function Reference({ field, label, value, onChange, whyLocked, control, target }: ReferenceProps) {
  const { depth } = useForm()
  const [isOpen, setOpen] = useState(false)
  const [work, setWork] = useState<'new' | 'browse' | null>(null)
  const { collection } = target
  const column = field.schema?.foreign_key_column ?? collection.key[0] ?? 'id'
  const staged = typeof value === 'object' && value !== null ? (value as Row) : null
  const key = staged === null ? plainText(value) : ''
  const shown = useQuery({
    queryKey: ['items', collection.collection, 'label', column, key],
    enabled: key !== '',
    queryFn: async ({ signal }) =>
      (
        await readItems(
          collection,
          {
            fields: [...new Set([...target.label.paths, pathOf(column)])],
            filter: { [column]: { _eq: key } },
            limit: 1,
          },
          signal,
        )
      ).data[0] ?? null,
  })
  const row = staged ?? shown.data ?? null
  const rowKey = staged === null && shown.data ? keyOf(collection, shown.data) : null
  const title = row === null ? key : target.label.title(row)
  const hint = row === null ? '' : target.label.hint(row)
  const isClearable = isNullable(field) && whyLocked === null && (value ?? null) !== null
  const isNone = row === null && key === ''
  const nothing = value === null ? 'NULL' : `Choose from ${collectionLabel(collection)}`
  const second =
    staged === null ? (shown.data === null ? 'Not found, or you may not read it' : hint) : 'Will be created'
  const words = isNone ? nothing : [title, second, key === title ? '' : key].filter((part) => part !== '').join(' ')
  const choose = (chosen: Row) => {
    onChange(chosen[column])
    setOpen(false)
    setWork(null)
  }
  const whyNotNew = may(collection, 'create')
    ? depth >= DEEPEST
      ? 'Drawers open three deep. Save first.'
      : null
    : `You may not create items in ${collectionLabel(collection)}.`
  return (
    <div
      className={styles['reference']}
      data-locked={whyLocked !== null || undefined}
      data-invalid={control['aria-invalid']}
      data-open={isOpen || undefined}
    >
      {isNone ? null : (
        <span className={styles['face']}>
          <Avatar name={title} size={22} />
        </span>
      )}
      <Popover
        isOpen={isOpen}
        onOpenChange={setOpen}
        label={`Choose ${label}`}
        isMatched
        trigger={(trigger) => (
          <button
            type="button"
            {...control}
            {...trigger}
            aria-required={undefined}
            aria-invalid={undefined}
            aria-label={`${label}: ${words}`}
            disabled={whyLocked !== null}
            className={styles['control']}
            data-ends={(rowKey === null ? 0 : 1) + (isClearable ? 1 : 0)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' || isOpen) return
              event.preventDefault()
              setOpen(true)
            }}
          >
            {isNone ? (
              <span className={styles['none']}>{nothing}</span>
            ) : (
              <>
                <span className={styles['words']}>
                  <bdi>{title}</bdi>{' '}
                  {second === '' ? null : (
                    <small>
                      <bdi>{second}</bdi>
                    </small>
                  )}
                </span>{' '}
                <code>{key === title ? '' : key}</code>
              </>
            )}
            <Icon name={whyLocked === null ? 'chevron-down' : 'lock'} size={15} />
          </button>
        )}
      >
        <Suspense fallback={<div className={styles['waiting']} />}>
          <Picker
            target={target}
            column={column}
            label={label}
            chosen={key}
            onChoose={choose}
            onNew={() => {
              setOpen(false)
              setWork('new')
            }}
            whyNotNew={whyNotNew}
            onBrowse={() => {
              setOpen(false)
              setWork('browse')
            }}
          />
        </Suspense>
      </Popover>
      <span className={styles['ends']}>
        {rowKey === null ? null : (
          <Link
            href={itemRoute(collection.collection, rowKey)}
            className={styles['open']}
            aria-label={`Open ${title} in ${collectionLabel(collection)}`}
            title="Open"
          >
            <Icon name="arrow-up-right" size={15} />
          </Link>
        )}
        {isClearable ? <IconButton icon="x" size={15} label={`Clear ${label}`} onClick={() => onChange(null)} /> : null}
      </span>
      <Suspense fallback={null}>
        {work === 'new' ? (
          <NestedDrawer
            collection={collection}
            itemKey={null}
            patch={staged ?? {}}
            omit={null}
            title={`New in ${collectionLabel(collection)}`}
            onClose={() => setWork(null)}
            onDone={(patch) => {
              onChange(patch)
              setWork(null)
            }}
          />
        ) : null}
        {work === 'browse' ? (
          <RowChooser
            target={target}
            title={`Choose ${label}`}
            isMultiple={false}
            onClose={() => setWork(null)}
            onChoose={([chosen]) => {
              if (chosen !== undefined) choose(chosen)
            }}
          />
        ) : null}
      </Suspense>
    </div>
  )
}
