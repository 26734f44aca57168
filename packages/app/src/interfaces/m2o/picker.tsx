import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { readItems } from '../../api/items.ts'
import { useFirstFocus } from '../../form/use-first-focus.ts'
import type { useRowLabel } from '../../form/use-row-label.ts'
import { collectionLabel } from '../../model/collection.ts'
import type { Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar } from '../../ui/chip.tsx'
import { Icon } from '../../ui/icon.tsx'
import { searchQuery } from './search.ts'
import styles from './m2o.module.css'
import { pathOf } from '../../model/path.ts'

const PAGE = 50

interface PickerProps {
  readonly target: NonNullable<ReturnType<typeof useRowLabel>>
  /** The field that the reference holds. */
  readonly column: string
  readonly label: string
  readonly chosen: string
  readonly onChoose: (row: Row) => void
  readonly onNew: () => void
  readonly whyNotNew: string | null
  readonly onBrowse: () => void
}

/** Finds a row by typing. The service searches, so that the size of the collection does not matter. */
export function Picker({ target, column, label, chosen, onChoose, onNew, whyNotNew, onBrowse }: PickerProps) {
  const { collection } = target
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const text = useDeferredValue(typed)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useFirstFocus(box)
  const found = useInfiniteQuery({
    queryKey: ['items', collection.collection, 'pick', column, text],
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }) =>
      (
        await readItems(
          collection,
          {
            fields: [...new Set([...target.label.paths, pathOf(column)])],
            ...searchQuery(collection, text),
            limit: PAGE,
            offset: pageParam,
          },
          signal,
        )
      ).data,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })
  const rows = found.data?.pages.flat() ?? []
  // Rows of an earlier text are shown until the next ones arrive; they are not to be chosen by accident.
  const isCurrent = text === typed && !found.isPlaceholderData
  useEffect(() => setAt(0), [text])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    if (rows.length > 0 && at >= rows.length - 8 && found.hasNextPage && !found.isFetching) void found.fetchNextPage()
  }, [at, rows.length, found])
  const step = (by: number) => setAt(Math.max(0, Math.min(rows.length - 1, at + by)))
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => step(8),
    PageUp: () => step(-8),
    Enter: () => {
      const row = isCurrent ? rows[at] : undefined
      if (row !== undefined) onChoose(row)
    },
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = steps[event.key]
    if (act === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }
  return (
    <div ref={box} className={styles['picker']}>
      <div className={styles['search']}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={`Search ${collectionLabel(collection)}`}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={rows[at] === undefined ? undefined : `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={`Search ${collectionLabel(collection).toLowerCase()}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-busy={!isCurrent}
        className={styles['list']}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 200 && found.hasNextPage && !found.isFetching)
            void found.fetchNextPage()
        }}
      >
        {rows.map((row, index) => (
          <Option
            key={plainText(row[column])}
            id={`${id}-${index}`}
            title={target.label.title(row)}
            hint={target.label.hint(row)}
            value={plainText(row[column])}
            isAt={index === at}
            isChosen={plainText(row[column]) === chosen}
            onPoint={() => setAt(index)}
            onChoose={() => {
              if (isCurrent) onChoose(row)
            }}
          />
        ))}
      </ul>
      <p className={styles['state']} role="status">
        {found.error !== null
          ? messageOf(found.error)
          : found.isPending
            ? 'Searching…'
            : rows.length === 0
              ? text.trim() === ''
                ? 'There are no rows yet.'
                : `Nothing matches “${text.trim()}”.`
              : ''}
      </p>
      <div className={styles['foot']}>
        <Button kind="quiet" icon="plus" disabled={whyNotNew !== null} title={whyNotNew ?? undefined} onClick={onNew}>
          New in {collectionLabel(collection).toLowerCase()}
        </Button>
        <Button kind="quiet" icon="table-2" onClick={onBrowse}>
          Browse all
        </Button>
      </div>
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly title: string
  readonly hint: string
  readonly value: string
  readonly isAt: boolean
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

// The keyboard stays in the text field, which names the active option; a click is for pointers.
const Option = ({ id, title, hint, value, isAt, isChosen, onPoint, onChoose }: OptionProps) => (
  <li
    id={id}
    role="option"
    aria-selected={isAt}
    className={styles['option']}
    onPointerMove={isAt ? undefined : onPoint}
    onClick={onChoose}
  >
    <Avatar name={title} size={22} />
    <span className={styles['words']}>
      <bdi>{title}</bdi>
      {hint === '' ? null : (
        <small>
          <bdi>{hint}</bdi>
        </small>
      )}
    </span>
    {isChosen ? <Icon name="check" size={14} /> : null}
    <code>{value}</code>
  </li>
)
