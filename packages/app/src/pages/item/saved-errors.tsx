import { useEffect, useRef } from 'react'
import { useLanguage } from '../../app/use-start.ts'
import { flatFields, type FormField } from '../../form/form-fields.ts'
import { fieldLabel } from '../../model/field.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import type { SaveErrors } from './save-errors.ts'
import styles from './item.module.css'

/** What kept a row from being saved, with a way to each field. */
export function SavedErrors({
  errors,
  fields,
}: {
  readonly errors: SaveErrors
  readonly fields: readonly FormField[]
}) {
  const language = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const hasAny = errors.fields.size > 0 || errors.others.length > 0
  useEffect(() => {
    if (hasAny) box.current?.scrollIntoView({ block: 'nearest' })
  }, [errors, hasAny])
  if (!hasAny) return null
  const named = flatFields(fields).filter(({ field }) => errors.fields.has(field.field))
  return (
    <div ref={box}>
      <Notice tone="danger" title={errors.title}>
        {errors.others.map((message) => (
          <p key={message}>{message}</p>
        ))}
        {named.length === 0 ? null : (
          <p className={styles['named']}>
            <span>Look at</span>
            {named.map(({ field }) => (
              <Button key={field.field} kind="link" onClick={() => focusField(field.field)}>
                {fieldLabel(field, language)}
              </Button>
            ))}
          </p>
        )}
      </Notice>
    </div>
  )
}

function focusField(name: string): void {
  const cell = document.querySelector(`[data-field="${CSS.escape(name)}"]`)
  cell?.scrollIntoView({ block: 'center' })
  cell?.querySelector<HTMLElement>('input, textarea, select, button:not([aria-haspopup])')?.focus()
}
