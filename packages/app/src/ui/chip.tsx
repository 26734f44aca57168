import { hueOf } from './hue.ts'
import styles from './chip.module.css'

/** A value out of few, with a colour of its own. */
export const Chip = ({ value, text = value }: { readonly value: string; readonly text?: string }) => (
  <span className={styles['chip']} data-hue={hueOf(value)}>
    <i className={styles['dot']} />
    {text}
  </span>
)

/** The initials of a name on a colour of its own. */
export const Avatar = ({ name, size = 20 }: { readonly name: string; readonly size?: 18 | 20 | 22 | 28 | 36 }) => (
  // Drawn by the style sheet: letters of a control that are no part of its name would mislead those who speak to it.
  <span
    className={styles['avatar']}
    data-size={size}
    data-hue={hueOf(name)}
    data-initials={initials(name)}
    aria-hidden="true"
  />
)

const initials = (name: string): string => {
  const words = name.split(/[\s@._-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32))
    .join('')
    .toUpperCase()
}
