import { keyFromText } from '../query/keys.ts'

/** The key in an address, as it was sent: parts joined by commas, each percent-encoded. */
export function keyFromUrl(url: string): string[] {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return keyFromText(path.slice(path.lastIndexOf('/') + 1))
}
