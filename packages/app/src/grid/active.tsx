import { lazy, Suspense, useRef } from 'react'
import { displays } from '../displays/display.ts'
import type { Row } from '../model/key.ts'
import { Button } from '../ui/button.tsx'
import type { Column } from './column.ts'
import { CellEditor, editorPlace, Words, type Leave } from './editor.tsx'
import type { SourceQuery } from './row-source.ts'
import { relatedText, valueAt } from './value-at.ts'
import type { Trouble } from './writes.ts'
import styles from './grid.module.css'

const TextEditor = lazy(async () => ({ default: (await import('./text-editor.tsx')).TextEditor }))
const RelationEditor = lazy(async () => ({ default: (await import('./relation-editor.tsx')).RelationEditor }))
const MenuBox = lazy(async () => ({ default: (await import('../ui/menu-box.tsx')).MenuBox }))

/** What is going on at the active cell. */
export type Doing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'editing'; readonly typed: string | undefined }
  | { readonly kind: 'menu' }
  | { readonly kind: 'saying'; readonly words: string }

export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Whether words go above the cell, and to its end, to stay in view. */
  readonly isLow: boolean
  readonly isFarRight: boolean
}

export interface CellMenuEntry {
  readonly id: string
  readonly label: string
  readonly keys?: string
  readonly whyNot?: string | null
  readonly run: () => void
}

interface ActiveProps {
  readonly place: Place
  readonly column: Column
  readonly row: Row | undefined
  readonly rowKey: string | null
  readonly collection: SourceQuery['collection']
  readonly doing: Doing
  readonly trouble: Trouble | null
  readonly language: string
  readonly entries: readonly CellMenuEntry[]
  readonly onCommit: (value: unknown, shown: unknown, leave: Leave) => void
  readonly onDone: () => void
  readonly onOverwrite: () => void
  readonly onTakeTheirs: () => void
}

/** The active cell: one box over the sheet, so that moving it draws no row. Its editor opens inside. */
export function Active(props: ActiveProps) {
  const { place, column, row, rowKey, doing, trouble, entries, onCommit, onDone } = props
  const box = useRef<HTMLDivElement>(null)
  const value = trouble === null ? (row === undefined ? undefined : valueAt(row, column.path)) : trouble.shown
  const isOver = { isAbove: place.isLow, isAtEnd: place.isFarRight }
  return (
    <div
      ref={box}
      className={styles['ring']}
      data-refused={(trouble !== null && trouble.state !== 'sending') || undefined}
      data-busy={doing.kind === 'editing' || doing.kind === 'menu' || undefined}
      style={{ top: place.top, insetInlineStart: place.left, width: place.width, height: place.height }}
    >
      {doing.kind === 'editing' && row !== undefined && rowKey !== null ? (
        <Suspense fallback={null}>{editor()}</Suspense>
      ) : null}
      {doing.kind === 'menu' ? (
        <Suspense fallback={null}>
          <MenuBox
            control={box}
            label={`${column.label}: actions`}
            entries={entries}
            placement="bottom start"
            onOpenChange={(isOpen) => {
              if (!isOpen) onDone()
            }}
          />
        </Suspense>
      ) : null}
      {doing.kind === 'saying' ? <Words {...isOver}>{doing.words}</Words> : null}
      {doing.kind === 'nothing' && trouble?.state === 'refused' ? (
        <Words tone="danger" {...isOver}>
          {trouble.message} Enter edits it, Esc restores the old value.
        </Words>
      ) : null}
      {doing.kind === 'nothing' && trouble?.state === 'conflict' ? <Conflict {...props} trouble={trouble} /> : null}
    </div>
  )

  function editor() {
    const typed = doing.kind === 'editing' ? doing.typed : undefined
    const shared = { column, value, typed, onCancel: onDone }
    const commit = (given: unknown, leave: Leave): void => onCommit(given, given, leave)
    const { related } = column
    const where = editorPlace(column, value)
    if (where === 'relation' && related !== undefined)
      return (
        <RelationEditor
          {...shared}
          column={{ ...column, related }}
          control={box}
          onChoose={(chosen) => onCommit(chosen === null ? null : chosen[related.key[0] ?? ''], chosen, 'stay')}
        />
      )
    if (where === 'text box')
      return (
        <TextEditor {...shared} control={box} collection={props.collection} rowKey={rowKey ?? ''} onCommit={commit} />
      )
    return <CellEditor {...shared} onCommit={commit} />
  }
}

/** Somebody else changed the same cell: both values, and the choice. */
function Conflict({
  column,
  trouble,
  place,
  language,
  onOverwrite,
  onTakeTheirs,
}: ActiveProps & { readonly trouble: Trouble }) {
  const words = (value: unknown): string => {
    if (value === null || value === undefined) return 'NULL'
    if (column.related !== undefined) return relatedText(value, column)
    return value === '' ? '""' : displays[column.kind].text(value, column.field, language)
  }
  return (
    <Words isAbove={place.isLow} isAtEnd={place.isFarRight}>
      Somebody else changed this row since it was read.
      <dl className={styles['both']}>
        <dt>Theirs</dt>
        <dd>{words(trouble.theirs)}</dd>
        <dt>Yours</dt>
        <dd>{words(trouble.shown)}</dd>
      </dl>
      <span className={styles['choices']}>
        <Button onClick={onOverwrite}>Overwrite</Button>
        <Button onClick={onTakeTheirs}>Take theirs</Button>
      </span>
    </Words>
  )
}
