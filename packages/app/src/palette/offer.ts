import { commandGroups, commandLabel, type Command, type Place } from '../app/commands.ts'
import { browsable, collectionLabel, type Collection } from '../model/collection.ts'
import { browseRoute, itemRoute, keyText } from '../model/key.ts'
import type { Entry, Offer } from './entries.ts'
import { candidate, type Candidate } from './match.ts'

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
    return candidate(entry, [label], command.also?.split(' '))
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
