// Mistakes of one line in sources of the server and of the app, made from a seed: the measure of what tests catch.
import { globSync, readFileSync } from 'node:fs'
import { createRng } from '../random/rng.ts'
import { kinds, type KindName, type Replacement } from './kinds.ts'
import { nodesOf } from './syntax.ts'

export interface Mistake extends Replacement {
  readonly file: string
  readonly line: number
  readonly kind: KindName
  /** The line as it was, and as it is now. */
  readonly was: string
  readonly is: string
}

export const parts = {
  server: 'packages/server/src',
  app: 'packages/app/src',
} as const

export type Part = keyof typeof parts

const isTested = (file: string): boolean => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/u.test(file)

/** The sources of a part, relative to the top of the repository. */
export const sourcesOf = (part: Part, top: string): readonly string[] =>
  globSync(`${parts[part]}/**/*.{ts,tsx}`, { cwd: top }).filter(isTested).toSorted()

const lineAt = (source: string, at: number): readonly [start: number, end: number] => {
  const end = source.indexOf('\n', at)
  return [source.lastIndexOf('\n', at - 1) + 1, end === -1 ? source.length : end]
}

export const withMistake = (source: string, { start, end, text }: Replacement): string =>
  `${source.slice(0, start)}${text}${source.slice(end)}`

/** Every mistake of one line that can be made in a source. */
export function mistakesIn(file: string, source: string): readonly Mistake[] {
  const names = Object.keys(kinds) as KindName[]
  return nodesOf(source, file.endsWith('x')).flatMap((node) =>
    names.flatMap((kind) =>
      kinds[kind](node, source).flatMap((replacement) => {
        const [from, to] = lineAt(source, replacement.start)
        if (replacement.end > to || replacement.text.includes('\n')) return []
        const was = source.slice(from, to)
        const line = source.slice(0, from).split('\n').length
        const is = withMistake(was, { ...replacement, start: replacement.start - from, end: replacement.end - from })
        return [{ ...replacement, file, line, kind, was: was.trim(), is: is.trim() }]
      }),
    ),
  )
}

/** So many mistakes of a part: each kind as often as the others, and no two in one file while there are other files. */
export function pickMistakes(part: Part, top: string, count: number, seed: number): readonly Mistake[] {
  const rng = createRng(seed, part.length)
  const all = sourcesOf(part, top).flatMap((file) => mistakesIn(file, readFileSync(`${top}/${file}`, 'utf8')))
  const byKind = (Object.keys(kinds) as KindName[]).map((name) => rng.shuffle(all.filter(({ kind }) => kind === name)))
  const used = new Set<string>()
  const picked: Mistake[] = []
  while (picked.length < count) {
    const before = picked.length
    for (const list of byKind) {
      const fresh = list.findIndex(({ file }) => !used.has(file))
      const [mistake] = list.splice(fresh === -1 ? 0 : fresh, 1)
      if (mistake === undefined || picked.length === count) continue
      used.add(mistake.file)
      picked.push(mistake)
    }
    if (picked.length === before) break
  }
  return picked
}
