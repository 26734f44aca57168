import { ServiceError } from '@tain/contract'

const MOST_CHARACTERS = 255

/** Controls (C0, DEL, C1) and marks that change the direction of text: they make a name look like another one. */
// eslint-disable-next-line no-control-regex
const deceptive = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu

export const withoutDeceptive = (text: string): string => text.replaceAll(deceptive, '')

/** The name under which a file is saved, without a path; null: nothing is left of it. */
export function cleanName(given: string): string | null {
  const last = given.split(/[/\\]/u).at(-1) ?? ''
  const name = withoutDeceptive(last).trim()
  if (characters(name) > MOST_CHARACTERS)
    throw new ServiceError('VALUE_TOO_LONG', `"filename_download" has more than ${MOST_CHARACTERS} characters.`)
  return ['', '.', '..'].includes(name) ? null : name
}

/** As databases count them: a character outside the basic plane is one. */
const characters = (text: string): number => Array.from(text).length

/** A name that begins with its only dot has no extension. */
const dotOf = (name: string): number | null => {
  const at = name.lastIndexOf('.')
  return at <= 0 ? null : at
}

/** The extension of the object that holds the content: letters and digits alone; null: none that may be used. */
export function extensionOf(name: string): string | null {
  const at = dotOf(name)
  const extension = at === null ? '' : name.slice(at + 1).toLowerCase()
  return /^[a-z0-9]{1,16}$/u.test(extension) ? extension : null
}

/** `annual_report-final.txt` → `Annual Report Final` */
export function titleOf(name: string): string {
  const words = name.slice(0, dotOf(name) ?? name.length).replaceAll(/[_-]+/gu, ' ')
  return words.trim().replaceAll(/(?<=^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase()) || name
}
