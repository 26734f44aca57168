import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Input, TextArea } from '../ui/input.tsx'
import { isNullable, optionText, type InterfaceProps } from './interface.ts'
import { isNumeric, problemOfText, textOfValue, valueOfText } from './scalar-text.ts'
import styles from './interfaces.module.css'

/** What is typed, kept as it was typed: `1.` is on its way to `1.5`. */
function useTyped({ field, value, base, onChange, onProblem }: InterfaceProps) {
  const [typed, setTyped] = useState(textOfValue(value))
  useEffect(() => {
    setTyped((before) =>
      valueOfText(field, before) === (value ?? valueOfText(field, '')) ? before : textOfValue(value),
    )
  }, [field, value])
  const type = (text: string) => {
    setTyped(text)
    onProblem(problemOfText(field, text))
    const isBackToNull = text === '' && isNullable(field) && (base ?? null) === null
    onChange(isBackToNull ? null : valueOfText(field, text))
  }
  return { typed, type }
}

const placeholderOf = ({ field, value }: InterfaceProps): string => {
  if (value === null) return 'NULL'
  if (value === undefined && field.schema?.has_auto_increment === true) return 'Set on saving'
  return optionText(field, 'placeholder') ?? (value === '' ? 'Empty' : '')
}

const LONGEST_LINE = 10_000

/** A line of text or a number. Numbers are typed and sent as text where they are exact. */
export function TextInput(props: InterfaceProps) {
  const { field, whyLocked, control } = props
  const { typed, type } = useTyped(props)
  const [isLong] = useState(typed.includes('\n') || typed.length > LONGEST_LINE)
  const trims = field.meta?.options?.['trim'] === true
  // A line would lose the line breaks of a text that has them, and browsers draw a very long one for minutes.
  if (isLong) return <MultilineInput {...props} />
  return (
    <Input
      {...control}
      className={styles[isNumeric(field) ? 'number' : 'text'] ?? ''}
      value={typed}
      readOnly={whyLocked !== null}
      placeholder={placeholderOf(props)}
      inputMode={isNumeric(field) ? 'decimal' : undefined}
      maxLength={isNumeric(field) ? undefined : (field.schema?.max_length ?? undefined)}
      dir={isNumeric(field) ? 'ltr' : 'auto'}
      onChange={(event) => type(event.target.value)}
      onBlur={() => {
        if (trims && typed !== typed.trim()) type(typed.trim())
      }}
      end={whyLocked === null ? null : <Icon name="lock" size={14} />}
    />
  )
}

const startsRightToLeft = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Browsers take minutes to find the directions of a very long text by themselves. */
const directionOf = (text: string): 'auto' | 'rtl' | 'ltr' => {
  if (text.length <= LONGEST_LINE) return 'auto'
  return startsRightToLeft.test(text.slice(0, 200)) ? 'rtl' : 'ltr'
}

/** Text of several lines. */
export function MultilineInput(props: InterfaceProps) {
  const { whyLocked, control } = props
  const { typed, type } = useTyped(props)
  return (
    <TextArea
      {...control}
      value={typed}
      dir={directionOf(typed)}
      rows={Math.min(12, Math.max(3, typed.split('\n').length + 1))}
      readOnly={whyLocked !== null}
      placeholder={placeholderOf(props)}
      onChange={(event) => type(event.target.value)}
    />
  )
}
