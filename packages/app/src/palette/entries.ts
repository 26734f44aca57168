import type { IconName } from '../ui/icon-names.ts'
import { matches, type Candidate } from './match.ts'

/** A line of the palette. */
export interface Entry {
  readonly id: string
  readonly label: string
  /** The name in the database, or what else tells lines of the same name apart. */
  readonly hint?: string
  readonly icon: IconName
  readonly keys?: string
  readonly run: () => void
}

export interface EntryGroup {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** What is offered, prepared when the palette opens. */
export interface Offer {
  readonly recent: readonly Entry[]
  readonly collections: readonly Candidate<Entry>[]
  readonly commands: readonly { readonly title: string; readonly candidates: readonly Candidate<Entry>[] }[]
}

const MOST_IN_GROUP = 50
const MOST_AT_FIRST = 6

/** Matches that are worth less than this part of the best one are left out: they only happen to contain the letters. */
const WORTH = 0.65

/** The groups for what is typed, the one with the best match first. `>` asks for commands only. */
export function groupsFor(typed: string, { recent, collections, commands }: Offer): readonly EntryGroup[] {
  const isCommandsOnly = typed.startsWith('>')
  const text = isCommandsOnly ? typed.slice(1) : typed
  if (text.trim() === '')
    return isCommandsOnly ? plain(commands, Number.MAX_SAFE_INTEGER) : atFirst({ recent, collections, commands })
  const sources = isCommandsOnly ? commands : [...commands, { title: COLLECTIONS, candidates: collections }]
  const found = sources.map(({ title, candidates }) => ({ title, found: matches(text, candidates, MOST_IN_GROUP) }))
  const top = Math.max(0, ...found.map((group) => group.found[0]?.score ?? 0))
  return found
    .toSorted((left, right) => (right.found[0]?.score ?? 0) - (left.found[0]?.score ?? 0))
    .map((group) => ({
      title: group.title,
      entries: group.found.filter(({ score }) => score >= top * WORTH).map(({ value }) => value),
    }))
    .filter(({ entries }) => entries.length > 0)
}

const COLLECTIONS = 'Collections'

function atFirst({ recent, collections, commands }: Offer): readonly EntryGroup[] {
  const [page, actions, ...others] = plain(commands, MOST_AT_FIRST, true)
  return [
    { title: 'Recent', entries: recent.slice(0, MOST_AT_FIRST) },
    ...[page, actions].filter((group) => group !== undefined),
    { title: COLLECTIONS, entries: collections.slice(0, MOST_AT_FIRST).map(({ value }) => value) },
    ...others,
  ].filter(({ entries }) => entries.length > 0)
}

const plain = (groups: Offer['commands'], most: number, withEmpty = false): readonly EntryGroup[] =>
  groups
    .map(({ title, candidates }) => ({ title, entries: candidates.slice(0, most).map(({ value }) => value) }))
    .filter(({ entries }) => withEmpty || entries.length > 0)
