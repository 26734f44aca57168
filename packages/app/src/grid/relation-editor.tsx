import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readItems } from '../api/items.ts'
import { useCollection } from '../app/use-start.ts'
import { collectionLabel } from '../model/collection.ts'
import { keyOf, keyText, type Row } from '../model/key.ts'
import { templatePaths } from '../model/template.ts'
import { Avatar } from '../ui/chip.tsx'
import { Notice } from '../ui/feedback.tsx'
import { Input } from '../ui/input.tsx'
import { PopoverBox } from '../ui/popover-box.tsx'
import type { Column } from './column.ts'
import { relatedKey, relatedText } from './value-at.ts'
import styles from './boxes.module.css'

interface RelationEditorProps {
  readonly column: Column & { readonly related: NonNullable<Column['related']> }
  readonly value: unknown
  readonly typed: string | undefined
  readonly control: RefObject<HTMLElement | null>
  /** The related row; null: none. */
  readonly onChoose: (row: Row | null) => void
  readonly onCancel: () => void
}

const SHOWN = 30

/** Chooses a related row in a box at the cell; the service searches among all of them. */
export function RelationEditor({ column, value, typed, control, onChoose, onCancel }: RelationEditorProps) {
  const id = useId()
  const { related, label } = column
  const collection = useCollection(related.collection)
  const [search, setSearch] = useState(typed ?? '')
  const isNullable = column.field.schema?.is_nullable === true
  // the first row, not NULL above it: Enter by habit must not empty the cell
  const [active, setActive] = useState(isNullable && (typed ?? '') === '' ? 1 : 0)
  const asked = useDeferredValue(search.trim())
  const fields = [...new Set([...related.key, ...templatePaths(related.template)])]
  const { data, error, isPending } = useQuery<readonly Row[]>({
    queryKey: ['items', related.collection, 'choices', fields, asked],
    enabled: collection !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      collection === undefined
        ? []
        : (await readItems(collection, { fields, limit: SHOWN, ...(asked === '' ? {} : { search: asked }) }, signal))
            .data,
  })
  const options: readonly (Row | null)[] = [...(isNullable && asked === '' ? [null] : []), ...(data ?? [])]
  const chosen = value === null || value === undefined ? null : relatedKey(value, related.key)
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const next = Math.max(0, Math.min(options.length - 1, active + step))
      setActive(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[active]
      if (option !== undefined) onChoose(option)
    } else if (event.key === 'Escape') onCancel()
  }
  return (
    <PopoverBox
      control={control}
      label={`Choose ${label}`}
      placement="bottom start"
      isMatched={false}
      onOpenChange={(isOpen) => {
        if (!isOpen) onCancel()
      }}
    >
      <div className={styles['picker']}>
        <Input
          autoFocus
          icon="search"
          role="combobox"
          aria-label={`Search ${collection === undefined ? related.collection : collectionLabel(collection)}`}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={options.length === 0 ? undefined : `${id}-${active}`}
          placeholder={`Search ${collection === undefined ? related.collection : collectionLabel(collection).toLowerCase()}`}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        {collection === undefined ? (
          <Notice tone="warn">You may not read {related.collection}, so there is nothing to choose from.</Notice>
        ) : null}
        {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
        <ul id={`${id}-list`} role="listbox" aria-label={label} className={styles['options']}>
          {options.map((row, index) => {
            const words = row === null ? '' : relatedText(row, column)
            const key = row === null ? null : relatedKey(row, related.key)
            return (
              // the combobox above has the focus and the keys
              <li
                key={key ?? 'null'}
                id={`${id}-${index}`}
                role="option"
                aria-selected={key === chosen}
                data-active={index === active || undefined}
                className={styles['option']}
                onMouseDown={(event) => {
                  event.preventDefault()
                  onChoose(row)
                }}
              >
                {row === null ? (
                  <span className={styles['none']}>NULL</span>
                ) : (
                  <>
                    <Avatar name={words} size={22} />
                    <span className={styles['name']}>{words}</span>
                    <small>{keyText(keyOf({ key: [...related.key] }, row) ?? '')}</small>
                  </>
                )}
              </li>
            )
          })}
        </ul>
        {!isPending && options.length === 0 ? <p className={styles['hint']}>Nothing matches “{asked}”.</p> : null}
      </div>
    </PopoverBox>
  )
}
