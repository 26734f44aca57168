import { useState } from 'react'
import { choicesOf, type Choice } from '../model/kind.ts'
import { plainText } from '../model/plain-text.ts'
import { Chip } from '../ui/chip.tsx'
import { Checkbox, Input, Select } from '../ui/input.tsx'
import { isNullable, type InterfaceProps } from './interface.ts'
import { valueOfText } from './scalar-text.ts'
import styles from './interfaces.module.css'

/** No value of a column looks like these. */
const NOTHING = '\u0000null'
const OTHER = '\u0000other'

/** The choices, and the present value even when it is none of them. */
function choicesWith(choices: readonly Choice[], value: string | null): readonly Choice[] {
  return value === null || value === '' || choices.some((each) => each.value === value)
    ? choices
    : [...choices, { value, text: value }]
}

/** One of few, by the browser's own list; the chosen one keeps its colour. */
export function SelectInput({ field, label, value, onChange, whyLocked, control }: InterfaceProps) {
  const [isTyping, setTyping] = useState(false)
  const current = value === null || value === undefined ? null : plainText(value)
  const choices = choicesWith(choicesOf(field) ?? [], current)
  const chosen = choices.find((each) => each.value === current)
  const takesOthers = field.meta?.options?.['allowOther'] === true
  if (isTyping)
    return (
      <Input
        {...control}
        autoFocus
        aria-label={`${label}, another value`}
        value={current ?? ''}
        onChange={(event) => onChange(valueOfText(field, event.target.value))}
        onBlur={() => setTyping(false)}
      />
    )
  return (
    <span className={styles['chosen']}>
      <Select
        {...control}
        className={chosen === undefined ? '' : (styles['chipped'] ?? '')}
        value={current ?? NOTHING}
        disabled={whyLocked !== null}
        onChange={({ target }) => {
          if (target.value === OTHER) setTyping(true)
          else onChange(target.value === NOTHING ? null : valueOfText(field, target.value))
        }}
        choices={[
          ...(isNullable(field) || current === null
            ? [{ value: NOTHING, text: isNullable(field) ? 'NULL' : 'Choose…' }]
            : []),
          ...choices,
          ...(takesOthers ? [{ value: OTHER, text: 'Another value…' }] : []),
        ]}
      />
      {chosen === undefined ? null : (
        <span className={styles['overlay']} aria-hidden="true">
          <Chip value={chosen.value} text={chosen.text} />
        </span>
      )}
    </span>
  )
}

export function RadioInput({ field, label, value, onChange, whyLocked, control }: InterfaceProps) {
  const current = value === null || value === undefined ? null : plainText(value)
  const choices = choicesWith(choicesOf(field) ?? [], current)
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={control['aria-describedby']}
      className={styles['radios']}
    >
      {choices.map(({ value: each, text }) => (
        <label key={each} className={styles['radio']}>
          <input
            type="radio"
            name={control.id}
            checked={each === current}
            disabled={whyLocked !== null}
            onChange={() => onChange(valueOfText(field, each))}
          />
          {text}
        </label>
      ))}
    </div>
  )
}

/** Several of few. */
export function MultipleInput({ field, label, value, onChange, whyLocked, control }: InterfaceProps) {
  const chosen = Array.isArray(value) ? (value as readonly unknown[]).map(plainText) : []
  const choices = choicesOf(field) ?? []
  const others = chosen.filter((each) => !choices.some((choice) => choice.value === each))
  const all = [...choices, ...others.map((each) => ({ value: each, text: each }))]
  const toggle = (each: string, isChosen: boolean) => {
    const next = all.map((choice) => choice.value).filter((name) => (name === each ? isChosen : chosen.includes(name)))
    onChange(next.length === 0 && isNullable(field) ? null : next)
  }
  return (
    <div role="group" aria-label={label} aria-describedby={control['aria-describedby']} className={styles['radios']}>
      {all.map(({ value: each, text }) => (
        <Checkbox
          key={each}
          checked={chosen.includes(each)}
          disabled={whyLocked !== null}
          onChange={(event) => toggle(each, event.target.checked)}
        >
          {text}
        </Checkbox>
      ))}
      {all.length === 0 ? (
        <span className={styles['faint']}>The data model lists no choices for this field.</span>
      ) : null}
    </div>
  )
}
