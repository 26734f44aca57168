import { Switch } from '../ui/input.tsx'
import { isNullable, type InterfaceProps } from './interface.ts'
import styles from './interfaces.module.css'

const states = [
  { value: true, text: 'Yes' },
  { value: false, text: 'No' },
  { value: null, text: 'NULL' },
] as const

/** Yes or no; a third state where the column allows NULL. */
export function BooleanInput({ field, label, value, onChange, whyLocked, control }: InterfaceProps) {
  if (!isNullable(field))
    return (
      <span className={styles['toggle']}>
        <Switch
          {...control}
          checked={value === true}
          disabled={whyLocked !== null}
          onChange={(event) => onChange(event.target.checked)}
        >
          {value === true ? 'Yes' : 'No'}
        </Switch>
      </span>
    )
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={control['aria-describedby']}
      className={styles['segments']}
    >
      {states.map(({ value: state, text }) => (
        <label key={text} className={styles['segment']}>
          <input
            type="radio"
            name={control.id}
            checked={(value ?? null) === state}
            disabled={whyLocked !== null}
            onChange={() => onChange(state)}
          />
          <span>{text}</span>
        </label>
      ))}
    </div>
  )
}
