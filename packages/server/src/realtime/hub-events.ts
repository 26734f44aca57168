import type { WriteSpan } from './hub-hints.ts'
import { sharedKey, type ToldKey } from './hub-keys.ts'
import type { HubEvent, Outcome } from './hub-model.ts'
import type { ToldKind, ToldRow } from './hub.ts'

const MOST_ROWS = 1000
const MOST_BYTES = 256 * 1024

const kinds: readonly ToldKind[] = ['create', 'update', 'delete']

export interface EventForm {
  /** The data is the row or the key itself, not a list. */
  readonly isOfItem: boolean
  readonly positionText: (number: number) => string
  /** When the rows began to be read. */
  readonly readAt: number
  /** Writes of which more is to be told later. */
  readonly unfinished: ReadonlySet<WriteSpan>
}

/**
 * Outcomes as events: of each write at most one of each kind, unless it is too large. Who goes on from the position of an
 * event must miss nothing, so only the last event of a write has the position of its end.
 */
export function eventsOf(outcomes: readonly Outcome[], form: EventForm): HubEvent[] {
  const writes = Map.groupBy(
    outcomes.toSorted((a, b) => a.hint.last - b.hint.last),
    ({ hint }) => hint.write,
  )
  return [...writes].flatMap(([write, found]) => {
    const parts = kinds.flatMap((kind) =>
      [false, true].flatMap((isUncertain) =>
        chunksOf(
          found.filter((each) => each.kind === kind && each.isUncertain === isUncertain),
          form.isOfItem,
        ).map((rows) => ({ kind, rows, isUncertain })),
      ),
    )
    return parts.map(({ kind, rows, isUncertain }, index): HubEvent => {
      const isEnd = index === parts.length - 1 && !form.unfinished.has(write)
      const position = form.positionText(isEnd ? write.last : write.first - 1)
      const told = toldOf(kind, rows, position, form.isOfItem, sharedKey)
      const hidesKeys = rows.some(({ isKeyShown }) => isKeyShown !== true)
      return { told, last: write.last, readAt: form.readAt, outcomes: rows, isUncertain, hidesKeys }
    })
  })
}

export function toldOf(
  kind: ToldKind,
  found: readonly Outcome[],
  position: string,
  isOfItem: boolean,
  keyOf: (outcome: Outcome) => ToldKey,
): HubEvent['told'] {
  const told = found.map((outcome) => ({ json: outcome.json, key: keyOf(outcome) }))
  const texts = told.map(({ json, key }) => json ?? key.json)
  const rows = told.map(({ json, key }): ToldRow => ({ key: key.key, json }))
  return { kind, data: isOfItem ? (texts[0] ?? 'null') : `[${texts.join(',')}]`, rows, position }
}

/** Rows of one event: a limited number, of limited size. */
function chunksOf(outcomes: readonly Outcome[], isOfItem: boolean): Outcome[][] {
  const chunks: Outcome[][] = []
  let size = 0
  for (const outcome of outcomes) {
    const last = chunks.at(-1)
    const { length } = outcome.json ?? outcome.keyJson
    size += length
    if (last === undefined || isOfItem || last.length >= MOST_ROWS || size > MOST_BYTES) {
      chunks.push([outcome])
      size = length
    } else last.push(outcome)
  }
  return chunks
}
