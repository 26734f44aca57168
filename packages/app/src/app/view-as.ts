import { appRoot } from '../api/address.ts'
import { messageOf } from '../api/api-error.ts'
import { get } from '../api/client.ts'
import { appStartQuery } from '../api/queries.ts'
import { signals, type Facts } from '../api/signals.ts'
import { browsable, inOrder, type AppStart } from '../model/collection.ts'
import { browseRoute } from '../model/key.ts'
import { toast } from '../ui/toasts.tsx'
import { queryClient } from './query-client.ts'

type Go = (path: string, options?: { readonly state?: unknown }) => void
type Viewed = NonNullable<Facts['viewedAs']>

/** Where viewing began, and the start of the administrator who views. */
interface Origin {
  readonly path: string
  readonly start: AppStart
}

let origin: Origin | null = null

/** The start of the signed-in user while another one is viewed as; null: nobody is. */
export const ownStart = (): AppStart | null => origin?.start ?? null

/**
 * Shows the app as another user sees it. A page of that user is opened first: the page that is left would be refused.
 * A page with unsaved changes asks before it is left, so viewing begins when the address has changed.
 */
export async function beginViewAs(viewed: Viewed, go: Go): Promise<void> {
  const own = queryClient.getQueryData(appStartQuery.queryKey)
  if (own === undefined || signals.viewedAs() !== null) return
  try {
    const { data } = await get<AppStart>('/server/app', { headers: { 'x-view-as': viewed.id } })
    await queryClient.cancelQueries({ queryKey: appStartQuery.queryKey })
    const from = `${location.pathname.slice(appRoot.length)}${location.search}`
    const isLeft = () => (history.state as { viewAs?: unknown } | null)?.viewAs === viewed.id
    const enter = () => {
      if (!isLeft()) return
      origin = { path: from, start: own }
      show(viewed, data)
    }
    addEventListener('pushState', enter, { once: true })
    go(firstPage(data, from), { state: { viewAs: viewed.id } })
  } catch (error) {
    toast(`The app cannot be shown as ${viewed.name}. ${messageOf(error)}`, { tone: 'danger' })
  }
}

/** Goes back to where viewing began. */
export async function endViewAs(go: Go): Promise<void> {
  if (origin === null) return
  const { path, start } = origin
  await queryClient.cancelQueries({ queryKey: appStartQuery.queryKey })
  origin = null
  go(path)
  show(null, start)
  void queryClient.invalidateQueries({ queryKey: appStartQuery.queryKey })
}

/** In one step, so that nothing that one user reads is drawn or asked for as another. */
function show(viewed: Viewed | null, start: AppStart): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== appStartQuery.queryKey[0] })
  queryClient.setQueryData(appStartQuery.queryKey, start)
  signals.viewAs(viewed)
}

/** The list that is open, if the user has it, else the first one. */
function firstPage({ collections }: AppStart, path: string): string {
  const all = inOrder(browsable(collections))
  const open = all.map(({ collection }) => browseRoute(collection)).find((route) => isWithin(path, route))
  return open ?? (all[0] === undefined ? '/' : browseRoute(all[0].collection))
}

const isWithin = (path: string, route: string): boolean =>
  path === route || path.startsWith(`${route}/`) || path.startsWith(`${route}?`)
