import { request } from '../api/client.ts'
import { appRoot } from '../api/address.ts'

/** Ends the session and starts over on a page that remembers nothing. */
export async function signOut(): Promise<void> {
  await request('POST', '/auth/logout', { body: { mode: 'session' } }).catch(() => undefined)
  sessionStorage.clear()
  location.assign(`${appRoot}/login`)
}
