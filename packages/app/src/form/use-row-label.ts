import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldsQuery } from '../api/queries.ts'
import { useCollection } from '../app/use-start.ts'
import type { Collection } from '../model/collection.ts'
import type { Field } from '../model/field.ts'
import { rowLabel, type RowLabel } from './row-label.ts'

interface LabelledCollection {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly label: RowLabel
}

/** How rows of a collection are called; null until it is known, or when the caller may not see it. */
export function useRowLabel(name: string): LabelledCollection | null {
  const collection = useCollection(name)
  const fields = useQuery({ ...fieldsQuery(name), enabled: collection !== undefined })
  return useMemo(
    () =>
      collection === undefined || fields.data === undefined
        ? null
        : { collection, fields: fields.data, label: rowLabel(collection, fields.data) },
    [collection, fields.data],
  )
}
