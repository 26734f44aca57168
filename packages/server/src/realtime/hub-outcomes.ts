import { ServiceError } from '@tain/contract'
import type { View, Watch } from '../engine/watch.ts'
import type { Hint } from './hub-hints.ts'
import type { Outcome } from './hub-model.ts'

export type Outcomes = readonly Outcome[] | 'outdated' | 'too-large'

/** One row alone is too large. */
export const tooLarge = (): ServiceError =>
  new ServiceError('INVALID_QUERY', 'A row is larger than MAX_RESPONSE_SIZE. Select less.')

/**
 * Decides what to tell of changed keys. A row that is shown now is told, whatever the log says. A row that is not shown now
 * is told as deleted if it would have been shown before one of its changes, under the rights of now.
 */
export async function findOutcomes(hints: readonly Hint[], view: View, watch: Watch): Promise<Outcomes> {
  const rows = await watch.rows(
    view,
    hints.map(({ key }) => key),
  )
  if (typeof rows === 'string') return rows
  const shown = new Map(rows.map(({ place, json }) => [place, json]))
  const gone = hints.filter((_, place) => !shown.has(place))
  const ends = await findEnds(gone, view, watch)
  if (typeof ends === 'string') return ends
  return hints.flatMap((hint, place): Outcome[] => {
    const json = shown.get(place)
    if (json !== undefined) return [{ hint, kind: hint.isCreated ? 'create' : 'update', json, isUncertain: false }]
    const end = ends.get(hint)
    if (end === undefined) return []
    return [{ hint, kind: 'delete', json: watch.shownKey(hint.key, view.collection), isUncertain: end === 'uncertain' }]
  })
}

type Ends = ReadonlyMap<Hint, 'certain' | 'uncertain'>

/** Of rows that are not shown now, those that were shown before. */
async function findEnds(gone: readonly Hint[], view: View, watch: Watch): Promise<Ends | 'outdated' | 'too-large'> {
  const asked = gone.flatMap((hint) => [...hint.before].map((image) => ({ hint, image })))
  const judged =
    asked.length === 0
      ? { shown: new Set<number>(), unknown: new Set<number>() }
      : await watch.images(
          view,
          asked.map(({ image }) => image),
        )
  if (typeof judged === 'string') return judged
  const ends = new Map<Hint, 'certain' | 'uncertain'>()
  const uncertain = view.showsEveryRow ? 'certain' : 'uncertain'
  for (const hint of gone) if (hint.isUnknown) ends.set(hint, uncertain)
  for (const [place, { hint }] of asked.entries()) {
    if (judged.shown.has(place)) ends.set(hint, 'certain')
    else if (judged.unknown.has(place) && !ends.has(hint)) ends.set(hint, uncertain)
  }
  return ends
}
