import type { DraftStore } from '../form/draft-store.ts'
import type { Field } from '../model/field.ts'
import type { FieldRelation } from '../model/relation.ts'
import type { ControlProps } from '../ui/field.tsx'

/** What a control gets, whichever field it edits. */
export interface InterfaceProps {
  readonly field: Field
  readonly label: string
  readonly value: unknown
  /** The value as it was read. */
  readonly base: unknown
  readonly onChange: (value: unknown) => void
  /** Why what is typed is no value yet; null: it is one. */
  readonly onProblem: (problem: string | null) => void
  /** Why it cannot be changed; null: it can. */
  readonly whyLocked: string | null
  readonly control: ControlProps
  readonly relation: FieldRelation | null
  readonly parent: ParentRow | null
}

/** The row whose form a control is in. */
export interface ParentRow {
  readonly collection: string
  /** Null: it is not saved yet. */
  readonly key: string | null
  readonly store: DraftStore
}

export const isNullable = ({ schema }: Field): boolean => schema?.is_nullable !== false

export const optionText = (field: Field, name: string): string | undefined => {
  const value = field.meta?.options?.[name]
  return typeof value === 'string' ? value : undefined
}
