import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { matchRoute, useLocation, useRouter } from 'wouter'
import { useSignal } from '../api/use-signal.ts'
import { commandsAt, type Place } from './commands.ts'
import { closePalette, openPalette, paletteState } from './palette-state.ts'
import { rememberPath } from './recent.ts'
import { useShortcuts } from './shortcuts.ts'
import { useCollection, useIsAdministrator, useStart } from './use-start.ts'

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const KeySheet = lazy(async () => ({ default: (await import('../palette/key-sheet.tsx')).KeySheet }))

/** The command palette (Ctrl+K or ⌘K), the single keys and the sheet that lists them. Loaded when first wanted. */
export function PaletteHost() {
  const isOpen = useSyncExternalStore(paletteState.subscribe, paletteState.isOpen)
  const [areKeysShown, setKeysShown] = useState(false)
  const [isAskingForUser, setAskingForUser] = useState(false)
  const isAdministrator = useIsAdministrator()
  const place = usePlace({ showKeys: () => setKeysShown(true), askForUser: () => setAskingForUser(true) })
  useRecent()
  useShortcuts(place, isAdministrator)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return
      event.preventDefault()
      if (paletteState.isOpen()) closePalette()
      else openPalette()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => {
    closePalette()
    setAskingForUser(false)
  }
  return (
    <Suspense fallback={null}>
      {isOpen || isAskingForUser ? <Palette place={place} isAskingForUser={isAskingForUser} onClose={close} /> : null}
      {areKeysShown ? (
        <KeySheet place={place} commands={commandsAt(place, isAdministrator)} onClose={() => setKeysShown(false)} />
      ) : null}
    </Suspense>
  )
}

function usePlace({ showKeys, askForUser }: Pick<Place, 'showKeys' | 'askForUser'>): Place {
  const { parser } = useRouter()
  const [path, go] = useLocation()
  const [, params] = matchRoute(parser, '/c/:collection/*?', path)
  const collection = useCollection((params as { collection?: string } | null)?.collection ?? '')
  const isViewingAs = useSignal('viewedAs') !== null
  return { go, collection: collection ?? null, isViewingAs, showKeys, askForUser }
}

/** Keeps which collections and items were open. */
function useRecent(): void {
  const { me } = useStart()
  const [path] = useLocation()
  const isViewingAs = useSignal('viewedAs') !== null
  const user = useMemo(() => (me as { id?: unknown } | null)?.id, [me])
  useEffect(() => {
    if (typeof user !== 'string' || isViewingAs) return
    if (path.startsWith('/c/') && !path.endsWith('/+')) rememberPath(user, path)
  }, [user, path, isViewingAs])
}
