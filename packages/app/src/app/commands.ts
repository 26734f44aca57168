import { useEffect } from 'react'
import { collectionLabel, may, type Collection } from '../model/collection.ts'
import { browseRoute } from '../model/key.ts'
import type { IconName } from '../ui/icon-names.ts'
import { toast } from '../ui/toasts.tsx'
import { queryClient } from './query-client.ts'
import { modules, sideLinks, type Audience } from './routes.ts'
import { signOut } from './session.ts'
import { chooseTheme, themes, type Theme } from './theme.ts'
import { endViewAs } from './view-as.ts'

export const commandGroups = ['This page', 'Actions', 'Go to', 'Appearance', 'Account'] as const
export type CommandGroup = (typeof commandGroups)[number]

/** Where a command is called. */
export interface Place {
  readonly go: (path: string, options?: { readonly state?: unknown }) => void
  /** The collection whose page is open. */
  readonly collection: Collection | null
  readonly isViewingAs: boolean
  /** Shows the list of keys. */
  readonly showKeys: () => void
  /** Asks in the palette which user to view as. */
  readonly askForUser: () => void
}

/** Something that can be done by a key or from the palette. */
export interface Command {
  readonly id: string
  readonly label: string | ((place: Place) => string)
  readonly group: CommandGroup
  readonly icon: IconName
  /** A single character works wherever no text is typed; anything longer is only shown, and its page listens for it. */
  readonly keys?: string
  readonly audience: Exclude<Audience, 'anybody'>
  /** Other words that people look for it by. */
  readonly also?: string
  readonly isShown?: (place: Place) => boolean
  readonly run: (place: Place) => void
}

const goTo = (path: string, label: string, icon: IconName, audience: Audience): Command => ({
  id: `go ${path}`,
  label,
  group: 'Go to',
  icon,
  audience: audience === 'anybody' ? 'signed in' : audience,
  run: ({ go }) => go(path),
})

const themeRows: Readonly<Record<Theme, { readonly label: string; readonly icon: IconName }>> = {
  light: { label: 'Light theme', icon: 'sun' },
  dark: { label: 'Dark theme', icon: 'moon' },
  system: { label: 'Theme of the system', icon: 'monitor' },
}

/** The commands that exist on every page. */
export const commands: readonly Command[] = [
  {
    id: 'new item',
    label: ({ collection }) => (collection === null ? 'New item' : `New item in ${collectionLabel(collection)}`),
    group: 'Actions',
    icon: 'plus',
    keys: 'n',
    audience: 'signed in',
    also: 'create add insert row',
    isShown: ({ collection, isViewingAs }) => collection !== null && may(collection, 'create') && !isViewingAs,
    run: ({ collection, go }) => {
      if (collection !== null) go(`${browseRoute(collection.collection)}/+`)
    },
  },
  {
    id: 'find here',
    label: 'Search on this page',
    group: 'Actions',
    icon: 'search',
    keys: '/',
    audience: 'signed in',
    isShown: () => searchBox() !== null,
    run: () => searchBox()?.focus(),
  },
  {
    id: 'reload',
    label: 'Reload the data',
    group: 'Actions',
    icon: 'refresh-cw',
    keys: 'r',
    audience: 'signed in',
    also: 'refresh',
    run: () => void queryClient.invalidateQueries(),
  },
  {
    id: 'copy address',
    label: 'Copy the address of this page',
    group: 'Actions',
    icon: 'link',
    audience: 'signed in',
    also: 'url link share',
    run: () => {
      void navigator.clipboard.writeText(location.href).then(() => toast('The address is copied.'))
    },
  },
  {
    id: 'keys',
    label: 'Show all keys',
    group: 'Actions',
    icon: 'keyboard',
    keys: '?',
    audience: 'signed in',
    also: 'shortcuts keyboard help',
    run: ({ showKeys }) => showKeys(),
  },
  {
    id: 'view as',
    label: 'View as a user…',
    group: 'Actions',
    icon: 'eye',
    audience: 'administrators',
    also: 'impersonate rights',
    isShown: ({ isViewingAs }) => !isViewingAs,
    run: ({ askForUser }) => askForUser(),
  },
  {
    id: 'stop viewing as',
    label: 'Stop viewing as somebody else',
    group: 'Actions',
    icon: 'eye-off',
    // While another user is viewed as, that user's audience counts.
    audience: 'signed in',
    isShown: ({ isViewingAs }) => isViewingAs,
    run: ({ go }) => void endViewAs(go),
  },
  goTo('/', 'Home', 'house', modules.content.audience),
  ...Object.values(sideLinks)
    .flat()
    .map(({ path, label, icon, audience }) => goTo(path, label, icon, audience)),
  ...themes.map((theme): Command => ({
    id: `theme ${theme}`,
    ...themeRows[theme],
    group: 'Appearance',
    audience: 'signed in',
    also: 'appearance colour mode',
    run: () => chooseTheme(theme),
  })),
  {
    id: 'sign out',
    label: 'Sign out',
    group: 'Account',
    icon: 'log-out',
    audience: 'signed in',
    also: 'log out leave',
    run: () => void signOut(),
  },
]

const searchBox = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('#work :is(input[type=search], [role=searchbox], input[aria-label^=Search])')

const lists = new Map<symbol, readonly Command[]>()

/** Adds the commands of a page while it is shown. Keep the list stable with `useMemo`. */
export function useCommands(list: readonly Command[]): void {
  useEffect(() => {
    const name = Symbol('commands')
    lists.set(name, list)
    return () => {
      lists.delete(name)
    }
  }, [list])
}

/** The commands that can be used here, those of the page first. A page's own replace the general ones of their key. */
export function commandsAt(place: Place, isAdministrator: boolean): readonly Command[] {
  const own = [...lists.values()].flat()
  const isTaken = ({ id, keys }: Command) =>
    own.some((each) => each.id === id || (keys !== undefined && each.keys?.toLowerCase() === keys))
  return [...own, ...commands.filter((each) => !isTaken(each))].filter(
    ({ audience, isShown }) => (audience !== 'administrators' || isAdministrator) && isShown?.(place) !== false,
  )
}

export const commandLabel = ({ label }: Command, place: Place): string =>
  typeof label === 'string' ? label : label(place)
