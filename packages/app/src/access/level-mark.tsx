import type { Level } from './permission.ts'
import styles from './level-mark.module.css'

/** An empty, a half or a full circle. The words beside it say the same. */
export const LevelMark = ({ level }: { readonly level: Level }) => (
  <i className={styles['mark']} data-level={level} aria-hidden="true" />
)
