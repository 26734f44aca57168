import { useEffect, useRef, useState, type RefObject } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readItem } from '../api/items.ts'
import { Button } from '../ui/button.tsx'
import { Notice, Skeleton } from '../ui/feedback.tsx'
import { TextArea } from '../ui/input.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { PopoverBox } from '../ui/popover-box.tsx'
import type { EditorProps } from './editor.tsx'
import { parseValue } from './parse-value.ts'
import type { SourceQuery } from './row-source.ts'
import { valueAt } from './value-at.ts'
import styles from './boxes.module.css'

interface TextEditorProps extends EditorProps {
  readonly control: RefObject<HTMLElement | null>
  readonly collection: SourceQuery['collection']
  readonly rowKey: string
}

/** Edits long text and JSON in a box at the cell. The whole value is read first: the cell has its beginning only. */
export function TextEditor({ column, control, collection, rowKey, typed, onCommit, onCancel }: TextEditorProps) {
  const [text, setText] = useState<string | null>(typed ?? null)
  const [error, setError] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (typed !== undefined) return undefined
    const abort = new AbortController()
    readItem(collection, rowKey, { fields: [column.path] }, abort.signal)
      .then(({ data }) => setText(wholeText(valueAt(data, column.path), column.kind)))
      .catch((problem: unknown) => {
        if (!abort.signal.aborted) setError(messageOf(problem))
      })
    return () => abort.abort()
  }, [collection, rowKey, column, typed])
  const isReady = text !== null
  useEffect(() => {
    if (isReady) area.current?.focus()
  }, [isReady])
  const save = (): void => {
    if (text === null) return
    const parsed = parseValue(text, column)
    if (parsed.isValue) onCommit(parsed.value, 'stay')
    else setError(parsed.reason)
  }
  return (
    <PopoverBox
      control={control}
      label={`Edit ${column.label}`}
      placement="bottom start"
      isMatched={false}
      onOpenChange={(isOpen) => {
        if (!isOpen) onCancel()
      }}
    >
      <div className={styles['text']} data-kind={column.kind}>
        {text === null && error === null ? (
          <Skeleton lines={5} />
        ) : (
          <TextArea
            ref={area}
            rows={8}
            aria-label={column.label}
            aria-invalid={error !== null}
            spellCheck={column.kind === 'text'}
            value={text ?? ''}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              setError(null)
            }}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Escape') onCancel()
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              save()
            }}
          />
        )}
        {error === null ? null : <Notice tone="danger">{error}</Notice>}
        <footer className={styles['foot']}>
          <Button kind="solid" onClick={save} disabled={text === null}>
            Save
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
          <span className={styles['hint']}>
            <Kbd keys="Ctrl+Enter" /> saves
          </span>
        </footer>
      </div>
    </PopoverBox>
  )
}

function wholeText(value: unknown, kind: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' && kind !== 'json') return value
  return JSON.stringify(value, null, 2)
}
