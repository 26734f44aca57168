import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { choicesOf, kindRows, type Kind } from '../model/kind.ts'
import type { Column } from './column.ts'
import { exactText } from './copy.ts'
import { parseValue } from './parse-value.ts'
import styles from './grid.module.css'

/** Where editors of a kind are: in the cell, in a box beside it, or nowhere. */
export type EditorPlace = 'cell' | 'toggle' | 'text box' | 'relation' | 'none'

const places: Readonly<Record<Kind, EditorPlace>> = {
  key: 'cell',
  text: 'cell',
  number: 'cell',
  boolean: 'toggle',
  date: 'cell',
  moment: 'cell',
  time: 'cell',
  choice: 'cell',
  json: 'text box',
  list: 'text box',
  secret: 'none',
  relation: 'relation',
  rows: 'none',
  binary: 'none',
  other: 'cell',
}

/** Text of several lines, or long, is edited in a box. */
export const editorPlace = ({ kind }: Column, value: unknown): EditorPlace =>
  kind === 'text' && typeof value === 'string' && (value.length > 60 || value.includes('\n'))
    ? 'text box'
    : places[kind]

export const whyNoEditor = ({ kind }: Column): string => {
  if (kind === 'secret') return 'A secret is set on the page of its item.'
  return kind === 'binary' ? 'Binary data cannot be typed.' : 'Related rows are changed on the page of the item.'
}

/** Which way to go after the change. */
export type Leave = 'stay' | 'down' | 'up' | 'next' | 'previous'

export interface EditorProps {
  readonly column: Column
  readonly value: unknown
  /** What was typed to begin; undefined: the value is edited. */
  readonly typed: string | undefined
  readonly onCommit: (value: unknown, leave: Leave) => void
  readonly onCancel: () => void
}

const leaves: Readonly<Record<string, Leave>> = {
  Enter: 'down',
  'Shift+Enter': 'up',
  Tab: 'next',
  'Shift+Tab': 'previous',
}

/** Edits a value in its cell. What does not fit stays, with the reason. */
export function CellEditor({ column, value, typed, onCommit, onCancel }: EditorProps) {
  const [text, setText] = useState(() => typed ?? editedText(value, column))
  const [reason, setReason] = useState<string | null>(null)
  const input = useRef<HTMLInputElement | HTMLSelectElement>(null)
  const isDone = useRef(false)

  useEffect(() => {
    const { current } = input
    if (current === null) return
    current.focus({ preventScroll: true })
    if (current instanceof HTMLInputElement && typed === undefined && current.type === 'text') current.select()
    if (current instanceof HTMLSelectElement) showPicker(current)
  }, [typed])

  const commit = (given: string, leave: Leave): void => {
    if (isDone.current) return
    const parsed = parseValue(given, column)
    if (!parsed.isValue) return setReason(parsed.reason)
    isDone.current = true
    onCommit(parsed.value, leave)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      isDone.current = true
      return onCancel()
    }
    const leave =
      event.ctrlKey || event.metaKey || event.altKey
        ? undefined
        : leaves[`${event.shiftKey ? 'Shift+' : ''}${event.key}`]
    if (leave === undefined) return
    event.preventDefault()
    commit(text, leave)
  }
  const shared = {
    className: styles['editor'],
    'aria-label': `Edit ${column.label}`,
    'aria-invalid': reason !== null,
    'data-end': kindRows[column.kind].isAtEnd || undefined,
    onKeyDown,
    onBlur: () => commit(text, 'stay'),
  }
  const choices = column.kind === 'choice' ? (choicesOf(column.field) ?? []) : null
  return (
    <>
      {choices === null ? (
        <input
          ref={input as RefObject<HTMLInputElement | null>}
          {...shared}
          {...inputKinds[column.kind]}
          autoComplete="off"
          spellCheck={column.kind === 'text'}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setReason(null)
          }}
        />
      ) : (
        <select
          ref={input as RefObject<HTMLSelectElement | null>}
          {...shared}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            commit(currentTarget.value, 'stay')
          }}
        >
          {column.field.schema?.is_nullable === true || text === '' ? <option value="">NULL</option> : null}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
          {text === '' || choices.some((choice) => choice.value === text) ? null : <option value={text}>{text}</option>}
        </select>
      )}
      {reason === null ? null : <Words tone="danger">{reason}</Words>}
    </>
  )
}

/** Words below a cell, read aloud. */
export const Words = ({
  tone,
  isAbove = false,
  isAtEnd = false,
  children,
}: {
  readonly tone?: 'danger'
  readonly isAbove?: boolean
  readonly isAtEnd?: boolean
  readonly children: ReactNode
}) => (
  <div
    className={styles['words']}
    role={tone === 'danger' ? 'alert' : 'status'}
    data-tone={tone}
    data-above={isAbove || undefined}
    data-side={isAtEnd ? 'end' : undefined}
  >
    {children}
  </div>
)

const plainInput = { type: 'text' } as const
const numberInput = { type: 'text', inputMode: 'decimal' } as const

const inputKinds: Readonly<
  Record<Kind, { readonly type: string; readonly inputMode?: 'decimal'; readonly step?: string }>
> = {
  key: numberInput,
  text: plainInput,
  number: numberInput,
  boolean: plainInput,
  date: { type: 'date' },
  moment: { type: 'datetime-local', step: '1' },
  time: { type: 'time', step: '1' },
  choice: plainInput,
  json: plainInput,
  list: plainInput,
  secret: plainInput,
  relation: plainInput,
  rows: plainInput,
  binary: plainInput,
  other: plainInput,
}

/** A value as its input holds it. Moments with a zone are edited on the reader's clock. */
function editedText(value: unknown, column: Column): string {
  if (value === null || value === undefined) return ''
  const text = exactText(value, column)
  if (column.kind !== 'moment') return text
  const time = new Date(text)
  if (!/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text) || Number.isNaN(time.getTime())) return text.replace(' ', 'T').slice(0, 19)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** Opens the list of choices at once, where the browser lets a page do so. */
function showPicker(select: HTMLSelectElement): void {
  try {
    select.showPicker()
  } catch {
    // it opens by a click or by Alt+Down
  }
}
