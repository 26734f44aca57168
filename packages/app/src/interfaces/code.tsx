import { useEffect, useState } from 'react'
import { isSame } from '../form/draft.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/input.tsx'
import { isNullable, type InterfaceProps } from './interface.ts'
import styles from './interfaces.module.css'

const printed = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

const isDocument = (type: InterfaceProps['field']['type']): boolean => type !== 'string' && type !== 'text'

/** A document: it is checked while it is typed, and only a valid one becomes the value. */
export function CodeInput({ field, value, onChange, onProblem, whyLocked, control }: InterfaceProps) {
  const parses = isDocument(field.type)
  const given = parses ? printed(value) : typeof value === 'string' ? value : ''
  const [typed, setTyped] = useState(given)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    setTyped((before) => (parses && isSame(parsed(before).value, value ?? null) ? before : given))
    setProblem(null)
  }, [given, parses, value])
  const type = (text: string) => {
    setTyped(text)
    if (!parses) return onChange(text === '' && isNullable(field) ? null : text)
    const { value: next, error } = parsed(text)
    setProblem(error)
    onProblem(error)
    if (error === null) onChange(next)
  }
  return (
    <div>
      <TextArea
        {...control}
        className={styles['code'] ?? ''}
        dir="ltr"
        spellCheck={false}
        wrap="off"
        rows={Math.min(16, Math.max(3, typed.split('\n').length))}
        value={typed}
        readOnly={whyLocked !== null}
        placeholder={(value ?? null) === null ? 'NULL' : ''}
        aria-invalid={problem !== null || control['aria-invalid']}
        onChange={(event) => type(event.target.value)}
      />
      {parses && whyLocked === null ? (
        <div className={styles['under']}>
          <span role="status">{problem ?? ''}</span>
          <Button
            kind="quiet"
            disabled={problem !== null || typed === '' || typed === printed(value)}
            onClick={() => setTyped(printed(value))}
          >
            Format
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function parsed(text: string): { readonly value: unknown; readonly error: string | null } {
  if (text.trim() === '') return { value: null, error: null }
  try {
    return { value: JSON.parse(text) as unknown, error: null }
  } catch (error) {
    return { value: undefined, error: `Not JSON yet: ${(error as Error).message}` }
  }
}
