import { appStartQuery } from '../api/queries.ts'
import { matchRoute } from './match.ts'
import { queryClient } from './query-client.ts'

/** How long the first frame waits. After it, what is missing is drawn as not there yet. */
const PATIENCE = 400

/**
 * Loads the page of an address of the app and what it reads first. Drawn without them, the first frame would show places that are
 * still empty, and React keeps those for a while so that they do not flicker.
 */
export async function prepare(address: string): Promise<void> {
  const { pathname, search } = new URL(address, location.origin)
  const match = matchRoute(pathname)
  const opened = match?.route.load().then(({ prepare: begin }) => begin?.(match.params, search.slice(1)))
  const begun = [queryClient.prefetchQuery(appStartQuery), opened ?? Promise.resolve()]
  await Promise.race([Promise.allSettled(begun), new Promise((done) => setTimeout(done, PATIENCE))])
}
