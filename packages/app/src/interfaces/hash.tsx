import { useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { optionText, type InterfaceProps } from './interface.ts'

/** A secret: it can be set and replaced, never read. */
export function SecretInput({ field, label, value, base, onChange, whyLocked, control }: InterfaceProps) {
  const isSet = (base ?? null) !== null
  const isChanged = value !== base && (value ?? null) !== null
  const [isReplacing, setReplacing] = useState(isChanged)
  if (!isReplacing && !isChanged)
    return (
      <Input
        {...control}
        readOnly
        value={isSet ? '••••••••' : ''}
        placeholder="Not set"
        end={
          whyLocked === null ? (
            <Button
              kind="quiet"
              aria-label={`${isSet ? 'Replace' : 'Set'} ${label}`}
              onClick={() => setReplacing(true)}
            >
              {isSet ? 'Replace' : 'Set'}
            </Button>
          ) : null
        }
      />
    )
  return (
    <Input
      {...control}
      autoFocus
      type={field.meta?.options?.['masked'] === false ? 'text' : 'password'}
      autoComplete="new-password"
      placeholder={optionText(field, 'placeholder') ?? 'New value'}
      value={isChanged ? String(value) : ''}
      onChange={(event) => onChange(event.target.value === '' ? base : event.target.value)}
      end={
        <IconButton
          icon="undo-2"
          label={`Keep the present ${label}`}
          onClick={() => {
            onChange(base)
            setReplacing(false)
          }}
        />
      }
    />
  )
}
