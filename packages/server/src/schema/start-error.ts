import type { ConnectionRefusal } from '../sql/database.ts'
import { firstServer } from '../sql/servers-url.ts'

/** The service cannot start on this database; the message says what to do. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}

const serverIn = ({ hostname, port }: URL): string => `${hostname}${port === '' ? '' : `:${port}`}`

const messages: Readonly<Record<ConnectionRefusal, (url: URL, reason: string) => string>> = {
  database: (url) =>
    `There is no database "${decodeURIComponent(url.pathname.slice(1))}" at ${serverIn(url)}. Create it, or correct DATABASE_URL.`,
  credentials: (url) =>
    `The server at ${serverIn(url)} does not accept the user "${decodeURIComponent(url.username)}". Check the user and the password in DATABASE_URL.`,
  file: (url) =>
    `The file ${url.pathname} cannot be opened as a database. Check that its folder exists, that it may be read and written, and that it is an SQLite file, or correct DATABASE_URL.`,
  driver: (_url, reason) => reason,
}

/** The error for a refused connection that waiting does not fix; it never shows the password. */
export const connectionRefused = (refusal: ConnectionRefusal, url: string, reason: string): StartError =>
  new StartError(messages[refusal](firstServer(url), reason))
