import { useState } from 'react'
import { plainText } from '../model/plain-text.ts'
import { Icon } from '../ui/icon.tsx'
import { isNullable, type InterfaceProps } from './interface.ts'
import styles from './interfaces.module.css'

/** A list of words: Enter or a comma adds one, Backspace takes the last one out. */
export function TagsInput({ field, label, value, onChange, whyLocked, control }: InterfaceProps) {
  const [typed, setTyped] = useState('')
  const tags = Array.isArray(value) ? (value as readonly unknown[]).map(plainText) : []
  const isLocked = whyLocked !== null
  const set = (next: readonly string[]) => onChange(next.length === 0 && isNullable(field) ? null : next)
  const add = (text: string) => {
    const added = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    setTyped('')
    if (added.length > 0) set([...tags, ...added])
  }
  return (
    <div className={styles['tags']} data-disabled={isLocked || undefined}>
      {tags.map((tag, index) => (
        <span key={`${index}:${tag}`} className={styles['tag']}>
          <bdi>{tag}</bdi>
          {isLocked ? null : (
            <button
              type="button"
              aria-label={`Remove ${tag} from ${label}`}
              onClick={() => set(tags.toSpliced(index, 1))}
            >
              <Icon name="x" size={12} />
            </button>
          )}
        </span>
      ))}
      <input
        {...control}
        autoComplete="off"
        dir="auto"
        value={typed}
        readOnly={isLocked}
        placeholder={isLocked ? '' : value === null ? 'NULL' : 'Add…'}
        onChange={(event) => {
          const text = event.target.value
          if (text.endsWith(',')) add(text)
          else setTyped(text)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            add(typed)
          } else if (event.key === 'Backspace' && typed === '' && tags.length > 0 && !isLocked) set(tags.slice(0, -1))
        }}
        onBlur={() => add(typed)}
      />
    </div>
  )
}
