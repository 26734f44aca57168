import { Mark } from '../ui/mark.tsx'
import styles from './opening.module.css'

/** Before anything is known. It appears only when the wait is long enough to notice. */
export const Opening = () => (
  <main className={styles['opening']} aria-busy="true">
    <Mark size={34} />
    <h1>Opening…</h1>
  </main>
)
