import styles from './kbd.module.css'

const isApple = /Mac|iP(?:hone|ad|od)/u.test(navigator.userAgent)

/** Keys as the keyboard at hand names them. */
const named = (keys: string): string =>
  isApple ? keys.replaceAll(/\bctrl\b/giu, '⌘') : keys.replaceAll(/⌘\s?/gu, 'Ctrl+').replaceAll(/\bctrl\b/gu, 'Ctrl')

/** Keys to press, one after a space: `⌘ K`. */
export const Kbd = ({ keys }: { readonly keys: string }) => (
  <span className={styles['keys']} dir="ltr">
    {named(keys)
      .split(' ')
      .map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
  </span>
)
