import { ApiError, entryText, messageOf } from '../../api/api-error.ts'

/** What a refusal says about single fields, and what is left to say about the row. */
export interface SaveErrors {
  readonly title: string
  readonly fields: ReadonlyMap<string, string>
  readonly others: readonly string[]
}

export const noErrors: SaveErrors = { title: 'Nothing was saved', fields: new Map(), others: [] }

const KEPT = 'What you typed is kept.'

/** Sorts the errors of a refusal by the fields of the form; an error inside a list belongs to the list. */
export function errorsOf(error: unknown, isShown: (field: string) => boolean): SaveErrors {
  if (!(error instanceof ApiError)) return { ...noErrors, others: [messageOf(error)] }
  if (error.isOffline || error.isOutcomeUnknown)
    return {
      ...noErrors,
      title: 'It is not known whether this was saved',
      others: [`No answer came back. ${KEPT} Save again: nothing is overwritten or made twice.`],
    }
  if (isAboutTheRequest(error)) return { ...noErrors, others: [`${messageOf(error)} ${KEPT}`] }
  const fields = new Map<string, string>()
  const others: string[] = []
  for (const entry of error.entries) {
    const place = placeOf(entry.extensions)
    const message = entryText(entry)
    if (place === null || !isShown(place)) others.push(message)
    else fields.set(place, fields.has(place) ? `${fields.get(place) ?? ''} ${message}` : message)
  }
  return { ...noErrors, fields, others }
}

/** Whether the row itself is not to blame: the session, the rate of requests, or the service. */
const isAboutTheRequest = ({ status }: ApiError): boolean => status === 401 || status === 429 || status >= 500

function placeOf({ field, path }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(path) ? path[0] : undefined
  if (typeof first === 'string') return first
  return typeof field === 'string' ? field : null
}
