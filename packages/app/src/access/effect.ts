import { collectionWords } from './words.ts'
import { cellOf, changesOf, type Place } from './draft.ts'
import { actionWords, fieldsOf, hasFields, levelOf, type Level, type Permission } from './permission.ts'

export type Direction = 'gains' | 'loses' | 'changes'

/** What happens to one cell, in words. */
export interface Effect extends Place {
  readonly direction: Direction
  /** `Read orders` */
  readonly title: string
  /** `a rule instead of all rows` */
  readonly details: readonly string[]
}

const ranks: Readonly<Record<Level, number>> = { none: 0, rule: 1, all: 2 }

/** The effects of a draft on whoever has the policy, cell by cell. */
export function effectsOf(
  saved: readonly Permission[],
  draft: readonly Permission[],
  label: (collection: string) => string = collectionWords,
): readonly Effect[] {
  const { created, updated, deleted } = changesOf(saved, draft)
  const touched = [...created, ...updated.flatMap(({ before, after }) => [before, after]), ...deleted]
  const places = new Map(touched.map(({ collection, action }) => [`${collection}\n${action}`, { collection, action }]))
  return [...places.values()].map((place) => effectAt(place, cellOf(saved, place), cellOf(draft, place), label))
}

function effectAt(
  place: Place,
  before: readonly Permission[],
  after: readonly Permission[],
  label: (collection: string) => string,
): Effect {
  const [was, is] = [levelOf(before), levelOf(after)]
  const details = [levelDetail(was, is), ...fieldDetails(place, before, after), ...otherDetails(before, after)].filter(
    (each) => each !== null,
  )
  return {
    ...place,
    title: `${actionWords[place.action]} ${label(place.collection)}`,
    direction: directionOf(ranks[is] - ranks[was], fieldChange(before, after)),
    details,
  }
}

const levelDetails: Readonly<Record<Level, Readonly<Record<Level, string | null>>>> = {
  none: { none: null, rule: 'rows where a rule holds', all: 'all rows' },
  rule: { none: 'no rows any more, before: a rule', rule: null, all: 'all rows, before: a rule' },
  all: { none: 'no rows any more, before: all rows', rule: 'rows where a rule holds, before: all rows', all: null },
}

const levelDetail = (was: Level, is: Level): string | null => levelDetails[was][is]

interface FieldChange {
  readonly gained: readonly string[] | 'all'
  readonly lost: readonly string[] | 'others'
}

function fieldChange(before: readonly Permission[], after: readonly Permission[]): FieldChange {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  if (was === null && is === null) return { gained: [], lost: [] }
  if (is === null) return { gained: 'all', lost: [] }
  if (was === null) return { gained: [], lost: 'others' }
  return { gained: is.filter((each) => !was.includes(each)), lost: was.filter((each) => !is.includes(each)) }
}

function fieldDetails(place: Place, before: readonly Permission[], after: readonly Permission[]): readonly string[] {
  if (!hasFields(place.action) || after.length === 0) return []
  const names = fieldsOf(after)
  if (before.length === 0) return [names === null ? 'all fields' : `fields ${listed(names)}`]
  const { gained, lost } = fieldChange(before, after)
  if (gained === 'all') return ['all fields']
  if (lost === 'others') return [`only the fields ${listed(names ?? [])}, before: all`]
  return [
    ...(gained.length === 0 ? [] : [`also ${listed(gained)}`]),
    ...(lost.length === 0 ? [] : [`no longer ${listed(lost)}`]),
  ]
}

/** Changes that neither the level nor the fields show. */
function otherDetails(before: readonly Permission[], after: readonly Permission[]): readonly string[] {
  if (before.length === 0 || after.length === 0) return []
  const differs = (member: 'permissions' | 'validation' | 'presets') =>
    JSON.stringify(before.map((each) => each[member])) !== JSON.stringify(after.map((each) => each[member]))
  const isSameLevel = levelOf(before) === levelOf(after)
  const isCreate = after[0]?.action === 'create'
  return [
    ...(isSameLevel && levelOf(after) === 'rule' && differs(isCreate ? 'validation' : 'permissions')
      ? ['another rule']
      : []),
    ...(!isCreate && differs('validation') ? ['other conditions on values'] : []),
    ...(differs('presets') ? ['other preset values'] : []),
  ]
}

function directionOf(step: number, { gained, lost }: FieldChange): Direction {
  const isMore = step > 0 || (step === 0 && gained.length > 0)
  const isLess = step < 0 || (step === 0 && lost.length > 0)
  if (step > 0 && lost.length > 0 && lost !== 'others') return 'changes'
  if (isMore === isLess) return 'changes'
  return isMore ? 'gains' : 'loses'
}

const MOST = 6

const listed = (names: readonly string[]): string => {
  if (names.length === 0) return 'none'
  const shown = names.slice(0, MOST).join(', ')
  return names.length > MOST ? `${shown} and ${names.length - MOST} more` : shown
}
