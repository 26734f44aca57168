import { commandGroups, commandLabel, type Command, type Place } from '../app/commands.ts'
import { browsable, collectionLabel, type Collection } from '../model/collection.ts'
import { browseRoute, itemRoute, keyText } from '../model/key.ts'
import type { IconName } from '../ui/icon-names.ts'
import { best, candidate, type Candidate } from './match.ts'

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

const MOST_IN_GROUP = 12
const MOST_AT_FIRST = 6

interface OfferSource {
  readonly collections: readonly Collection[]
  readonly commands: readonly Command[]
  readonly recentPaths: readonly string[]
  readonly place: Place
}

export function offerOf({ collections, commands, recentPaths, place }: OfferSource): Offer {
  const all = browsable(collections)
  const commandEntry = (command: Command): Candidate<Entry> => {
    const label = commandLabel(command, place)
    const entry: Entry = {
      id: command.id,
      label,
      icon: command.icon,
      ...(command.keys === undefined ? {} : { keys: command.keys }),
      run: () => command.run(place),
    }
    return candidate(entry, command.also === undefined ? [label] : [label, ...command.also.split(' ')])
  }
  return {
    recent: recentPaths.flatMap((path) => recentEntry(path, all, place) ?? []),
    collections: all.map((each) => {
      const label = collectionLabel(each)
      const entry: Entry = {
        id: `collection ${each.collection}`,
        label,
        hint: each.collection,
        icon: each.kind === 'view' ? 'eye' : 'table-2',
        run: () => place.go(browseRoute(each.collection)),
      }
      return candidate(entry, label === each.collection ? [label] : [label, each.collection])
    }),
    commands: commandGroups.map((title) => ({
      title,
      candidates: commands.filter(({ group }) => group === title).map(commandEntry),
    })),
  }
}

function recentEntry(path: string, collections: readonly Collection[], { go }: Place): Entry | null {
  const [, , name = '', key] = path.split('/')
  const collection = collections.find((each) => each.collection === decoded(name))
  if (collection === undefined) return null
  const label = collectionLabel(collection)
  return {
    id: `recent ${path}`,
    label: key === undefined ? label : `${label} ${keyText(key)}`,
    icon: key === undefined ? 'clock' : 'history',
    run: () => go(key === undefined ? browseRoute(collection.collection) : itemRoute(collection.collection, key)),
  }
}

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The groups for what is typed. `>` asks for commands only. */
export function groupsFor(typed: string, { recent, collections, commands }: Offer): readonly EntryGroup[] {
  const isCommandsOnly = typed.startsWith('>')
  const text = isCommandsOnly ? typed.slice(1) : typed
  const isFirst = text.trim() === ''
  const most = isFirst && !isCommandsOnly ? MOST_AT_FIRST : MOST_IN_GROUP
  const found = commands.map(({ title, candidates }) => ({
    title,
    entries: best(text, candidates, isCommandsOnly ? candidates.length : most),
  }))
  const [page, actions, ...others] = found
  const groups = [
    ...(isFirst && !isCommandsOnly ? [{ title: 'Recent', entries: recent.slice(0, MOST_AT_FIRST) }] : []),
    ...(page === undefined ? [] : [page]),
    ...(actions === undefined ? [] : [actions]),
    ...(isCommandsOnly
      ? []
      : [{ title: 'Collections', entries: best(text, collections, isFirst ? MOST_AT_FIRST : 50) }]),
    ...others,
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}
