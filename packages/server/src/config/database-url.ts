import { databaseSchemes } from '../sql/dialects/index.ts'
import { firstServer } from '../sql/servers-url.ts'

export { fileInUrl } from '../sql/file-url.ts'

/** A word of the command line as the URL of a database: a URL, or the path of an SQLite file. Null for other words. */
export function databaseUrlIn(word: string): string | null {
  if (databaseSchemes.some((scheme) => word.startsWith(`${scheme}:`))) return word
  return /\.(?:db|sqlite3?)$/iu.test(word) ? `sqlite:${word}` : null
}

/** The name of the database for display; never its password. */
export function databaseNameIn(url: string): string {
  const { pathname, hostname } = firstServer(url)
  const last = pathname.split('/').at(-1) ?? ''
  return last === '' ? hostname : decodedName(last)
}

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
