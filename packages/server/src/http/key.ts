import { keyFromText } from '../query/keys.ts'
import { withoutQuery } from './addressed-collection.ts'

/** The key in a URL, undecoded: parts joined by commas, each percent-encoded. */
export function keyFromUrl(url: string): string[] {
  const path = withoutQuery(url)
  return keyFromText(path.slice(path.lastIndexOf('/') + 1))
}
