import { useEffect, useState } from 'react'
import { Input } from '../ui/input.tsx'
import type { InterfaceProps } from './interface.ts'
import { inputText, inputTypeOf, timeValue } from './zone.ts'

/** A day, a time of day or a moment, by the browser's own input. */
export function DateTimeInput({ field, value, onChange, whyLocked, control }: InterfaceProps) {
  const given = inputText(field.type, value)
  const [typed, setTyped] = useState(given)
  useEffect(() => setTyped(given), [given])
  return (
    <Input
      {...control}
      type={inputTypeOf(field.type)}
      step={field.type === 'date' ? undefined : given.includes('.') ? 0.001 : 1}
      value={typed}
      readOnly={whyLocked !== null}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(timeValue(field.type, event.target.value))
      }}
    />
  )
}
