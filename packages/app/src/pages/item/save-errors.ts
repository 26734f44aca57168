import { ApiError, messageOf } from '../../api/api-error.ts'

/** What a refusal says about single fields, and what is left to say about the row. */
export interface SaveErrors {
  readonly fields: ReadonlyMap<string, string>
  readonly others: readonly string[]
}

export const noErrors: SaveErrors = { fields: new Map(), others: [] }

/** Sorts the errors of a refusal by the fields of the form; an error inside a list belongs to the list. */
export function errorsOf(error: unknown, isShown: (field: string) => boolean): SaveErrors {
  if (!(error instanceof ApiError) || error.isOffline) return { fields: new Map(), others: [messageOf(error)] }
  const fields = new Map<string, string>()
  const others: string[] = []
  for (const { message, extensions } of error.entries) {
    const place = placeOf(extensions)
    if (place === null || !isShown(place)) others.push(message)
    else fields.set(place, fields.has(place) ? `${fields.get(place) ?? ''} ${message}` : message)
  }
  return { fields, others }
}

function placeOf({ field, path }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(path) ? path[0] : undefined
  if (typeof first === 'string') return first
  return typeof field === 'string' ? field : null
}
