import type { ReactNode } from 'react'
import styles from './table.module.css'

interface TableProps {
  readonly label: string
  /** The heads of the columns; an empty text where a column needs none, such as that of actions. */
  readonly heads: readonly string[]
  readonly children: ReactNode
}

/** A short list with columns. Rows are `tr` elements. On phones it scrolls sideways. */
export const Table = ({ label, heads, children }: TableProps) => (
  <div className={styles['scroll']} role="region" aria-label={label} tabIndex={0}>
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head, index) =>
            head === '' ? (
              <td key={index} />
            ) : (
              <th key={index} scope="col">
                {head}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
