import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../../test/lib/throwaway.ts'
import { CONTRACT, SERVER } from './change.ts'

/** A row of "How to add" in docs/architecture.md. */
export interface Listed {
  readonly text: string
  /** Files and folders. Each group needs a touched file; the page joins the places of a group with "or". */
  readonly groups: readonly (readonly string[])[]
}

const GROUP = /`[^`]+`(?: or `[^`]+`)*/gu
const PATH = /`([^`]+)`/gu

const inRepository = (path: string): string => {
  if (/^(docs|test)\//u.test(path)) return path
  return path.startsWith('contract/') ? path.replace('contract', CONTRACT) : join(SERVER, path)
}

function filesOrFolders(path: string): string[] {
  const found = globSync(inRepository(path), { cwd: top })
  if (found.length === 0) throw new Error(`docs/architecture.md names ${path}, which does not exist`)
  return found
}

/** `what`: the beginning of the first column. */
export function howToAdd(what: string): Listed {
  const page = readFileSync(join(top, 'docs/architecture.md'), 'utf8')
  const line = page.split('\n').find((text) => text.startsWith(`| ${what}`))
  const [, , text] = line?.split('|').map((cell) => cell.trim()) ?? []
  if (text === undefined) throw new Error(`docs/architecture.md does not say how to add ${what}`)
  const groups = [...text.matchAll(GROUP)].flatMap(([group]) => {
    const places = [...group.matchAll(PATH)].map(([, path = '']) => filesOrFolders(path))
    // A pattern stands for all its files; places joined with "or" stand for one of them.
    return places.length === 1 ? (places[0] ?? []).map((place) => [place]) : [places.flat()]
  })
  return { text, groups }
}

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

/** The differences between the page, the files that a change touches, and those that the compiler names. */
export function differences({ groups }: Listed, touched: readonly string[], named: readonly string[]): string[] {
  const isListed = (file: string) => groups.flat().some((place) => isIn(file, place))
  return [
    ...touched.filter((file) => !isListed(file)).map((file) => `${file} is touched, but not listed`),
    ...named.filter((file) => !isListed(file)).map((file) => `${file} is named by the compiler, but not listed`),
    ...groups
      .filter((group) => !touched.some((file) => group.some((place) => isIn(file, place))))
      .map((group) => `${group.join(' or ')} is listed, but not touched`),
  ]
}
