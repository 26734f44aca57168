import { ServiceError } from '@tain/contract'
import type { KeyRows } from '../engine/plan-read.ts'
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
  const shown = new Map(rows.map((row) => [row.place, row]))
  const gone = hints.filter((_, place) => !shown.has(place))
  const ends = await findEnds(gone, view, watch)
  if (typeof ends === 'string') return ends
  return hints.flatMap((hint, place): Outcome[] => {
    const row = shown.get(place)
    const keyJson = watch.shownKey(hint.key, view.collection)
    if (row !== undefined) {
      const { json, isKeyShown } = row
      return [{ hint, kind: hint.isCreated ? 'create' : 'update', json, keyJson, isKeyShown, isUncertain: false }]
    }
    const end = ends.get(hint)
    return end === undefined ? [] : [{ hint, kind: 'delete', json: null, keyJson, ...end }]
  })
}

/** How a row ended that was shown before. */
type End = Pick<Outcome, 'isUncertain' | 'isKeyShown'>

type Ends = ReadonlyMap<Hint, End>

/** Of rows that are not shown now, those that were shown before. */
async function findEnds(gone: readonly Hint[], view: View, watch: Watch): Promise<Ends | 'outdated' | 'too-large'> {
  const asked = gone.flatMap((hint) =>
    [...hint.before].toSorted(([, a], [, b]) => a - b).map(([image]) => ({ hint, image })),
  )
  const judged =
    asked.length === 0
      ? { shown: new Set<number>(), keys: new Set<number>(), unknown: new Set<number>() }
      : await watch.images(
          view,
          asked.map(({ image }) => image),
        )
  if (typeof judged === 'string') return judged
  const ends = new Map<Hint, End>()
  const unknown = { isUncertain: !view.showsEveryRow, isKeyShown: keysOfAll[view.keyRows] }
  // The last state in which the row was shown decides about its key, unless a later one is not known.
  for (const [place, { hint }] of asked.entries()) {
    if (judged.shown.has(place)) ends.set(hint, { isUncertain: false, isKeyShown: judged.keys.has(place) })
    else if (judged.unknown.has(place)) ends.set(hint, { ...unknown, ...certain(ends.get(hint)) })
  }
  for (const hint of gone) if (hint.isUnknown) ends.set(hint, { ...unknown, ...certain(ends.get(hint)) })
  return ends
}

const keysOfAll: Readonly<Record<KeyRows, boolean | null>> = { all: true, none: false, some: null }

/** Once it is certain that the row was shown, it stays so. */
const certain = (end: End | undefined): Partial<End> => (end?.isUncertain === false ? { isUncertain: false } : {})
