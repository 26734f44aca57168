import { byText } from '../lib/canonical-json.ts'

const MOST_CHARACTERS = 255
/** Beyond this a folder's path is not written down: an archive has room for 65,535 bytes in a name. */
const LONGEST_FOLDER = 8_000

/** Separators, the colon of a drive, controls and marks of direction: a name must not lead anywhere else. */
// eslint-disable-next-line no-control-regex
const misleading = /[/\\:\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu

/** A part of a path inside an archive. */
export function archivePart(name: string): string {
  const part = Array.from(name.replaceAll(misleading, '_').trim()).slice(0, MOST_CHARACTERS).join('')
  return /^\.*$/u.test(part) ? '_' : part
}

export interface PlacedName {
  /** Names of the folders around it, the outermost first. */
  readonly folders: readonly string[]
  readonly name: string
}

/**
 * The path of each file, all different: also where capital letters do not count, as on most people's disks. Of equal names
 * the first stays as it is.
 */
export function archivePaths(files: readonly PlacedName[]): string[] {
  const taken = new Set<string>()
  return files.map(({ folders, name }) => {
    const folder = folders.map((part) => `${archivePart(part)}/`).join('')
    const path = freePath(folder.length > LONGEST_FOLDER ? '' : folder, archivePart(name), taken)
    taken.add(comparable(path))
    return path
  })
}

const comparable = (path: string): string => path.normalize('NFC').toLowerCase()

function freePath(folder: string, name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
  for (let number = 1; ; number += 1) {
    const path = `${folder}${number === 1 ? name : `${stem} (${number})${extension}`}`
    if (!taken.has(comparable(path))) return path
  }
}

export interface FolderRow {
  readonly id: string
  readonly name: string
  readonly parent: string | null
}

/** The folders at and below `top`, each with the names that lead to it from there; `top` itself with none. */
export function foldersBelow(top: string, rows: readonly FolderRow[]): ReadonlyMap<string, readonly string[]> {
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const found = new Map<string, readonly string[]>([[top, []]])
  const left = [top]
  for (let at = left.pop(); at !== undefined; at = left.pop())
    for (const { id, name } of [...(children.get(at) ?? [])].sort((a, b) => byText(a.id, b.id))) {
      // Folders in a circle could only come from outside the service.
      if (found.has(id)) continue
      found.set(id, [...found.get(at)!, name])
      left.push(id)
    }
  return found
}
