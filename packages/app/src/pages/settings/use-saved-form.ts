import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors, messageOf } from '../../api/api-error.ts'
import type { Row } from '../../model/key.ts'
import { toast } from '../../ui/toasts.tsx'

interface SavedForm {
  readonly value: (name: string) => unknown
  readonly text: (name: string) => string
  readonly set: (name: string, value: unknown) => void
  readonly error: (name: string) => string | null
  /** What was refused without naming a field. */
  readonly failure: string | null
  readonly isChanged: boolean
  readonly isSaving: boolean
  readonly save: () => void
  readonly discard: () => void
}

/** A form over one row: only what was changed is sent, and refusals are shown at their fields. */
export function useSavedForm(row: Row, send: (change: Row) => Promise<unknown>, stale: readonly string[]): SavedForm {
  const client = useQueryClient()
  const [change, setChange] = useState<Row>({})
  const saving = useMutation({
    mutationFn: () => send(change),
    onSuccess: async () => {
      await Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] })))
      setChange({})
      toast('Saved.', { tone: 'good' })
    },
  })
  const errors = fieldErrors(saving.error)
  const value = (name: string) => (name in change ? change[name] : row[name])
  return {
    value,
    text: (name) => {
      const found = value(name)
      return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
    },
    set: (name, next) => {
      const { [name]: _, ...others } = change
      setChange(next === row[name] ? others : { ...others, [name]: next })
    },
    error: (name) => errors.get(name) ?? null,
    failure: saving.isError && errors.size === 0 ? messageOf(saving.error) : null,
    isChanged: Object.keys(change).length > 0,
    isSaving: saving.isPending,
    save: () => saving.mutate(),
    discard: () => {
      setChange({})
      saving.reset()
    },
  }
}

export type { SavedForm }
