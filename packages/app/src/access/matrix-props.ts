import type { Permission } from './permission.ts'

/** What the matrix of a policy and its rule editor work on. */
export interface MatrixProps {
  readonly policy: string
  readonly saved: readonly Permission[]
  readonly draft: readonly Permission[]
  readonly onChange: (permissions: readonly Permission[]) => void
  /** Why nothing can be changed; null: it can. */
  readonly whyNot: string | null
  /** Whose rows are shown for a rule. */
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly isPublic: boolean
}
