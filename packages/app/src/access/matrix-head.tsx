import { actionWords, columns } from './permission.ts'

/** The first line of a table with collections down and actions across. */
export const MatrixHead = () => (
  <thead>
    <tr>
      <th scope="col">Collection</th>
      {columns.map((action) => (
        <th key={action} scope="col">
          {actionWords[action]}
        </th>
      ))}
    </tr>
  </thead>
)
