import { lazy, Suspense, useState } from 'react'
import { useStart } from '../app/use-start.ts'
import type { Filter } from '../filter/tree.ts'
import { Button } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import { JsonField } from './json-field.tsx'
import { isEveryRow } from './permission.ts'
import styles from './rule-editor.module.css'

const Builder = lazy(async () => ({ default: (await import('../filter/builder.tsx')).Builder }))

interface RuleFieldProps {
  readonly collection: string
  readonly label: string
  readonly value: Filter | null
  readonly onChange: (rule: Filter | null) => void
  readonly isReadOnly: boolean
}

/** A rule as it is edited: by choosing fields and values, or as JSON. */
export function RuleField({ collection: name, label, value, onChange, isReadOnly }: RuleFieldProps) {
  const { collections } = useStart()
  const collection = collections.find((each) => each.collection === name)
  const [isOpen, setOpen] = useState(false)
  const [isJson, setJson] = useState(false)
  return (
    <>
      <div className={styles['tools']}>
        {collection === undefined || isReadOnly ? null : (
          <Popover
            isOpen={isOpen}
            onOpenChange={setOpen}
            label={label}
            trigger={(props) => (
              <Button {...props} icon="filter">
                {isEveryRow(value) ? 'Write a rule' : 'Edit the rule'}
              </Button>
            )}
          >
            <Suspense fallback={null}>
              <Builder collection={collection} filter={value} onApply={onChange} onClose={() => setOpen(false)} />
            </Suspense>
          </Popover>
        )}
        <Button kind="quiet" icon="braces" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          JSON
        </Button>
      </div>
      {isJson ? (
        <JsonField
          label={`${label} as JSON`}
          note="$CURRENT_USER, $CURRENT_ROLE and $NOW stand for whoever asks, and when."
          value={value}
          onChange={onChange}
          isReadOnly={isReadOnly}
        />
      ) : null}
    </>
  )
}
