import styles from './mark.module.css'

export const Mark = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="Tain">
    <rect x="1" y="1" width="30" height="30" rx="8" className={styles['back']} />
    <path d="M9 9.5h14M16 9.5v6" className={styles['glass']} />
    <path d="M16 16.5v6M9 22.5h14" className={styles['silver']} />
  </svg>
)
