import sprite from './icons.svg?url'
import type { IconName } from './icon-names.ts'
import styles from './icon.module.css'

/** A drawing beside words. It says nothing by itself: give its control a name. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg className={styles['icon']} width={size} height={size} aria-hidden="true">
    <use href={`${sprite}#${name}`} />
  </svg>
)
