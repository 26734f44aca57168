import type { Copy } from './copy.ts'

export interface Edit {
  readonly file: string
  /** A text that occurs exactly once; null: the file is new. */
  readonly anchor: string | null
  /** Where the text is added: after the anchor, before it, or in its place. */
  readonly place: 'after' | 'before' | 'instead'
  readonly text: string
}

export interface Change {
  /** The beginning of the first column of "How to add" in docs/architecture.md. */
  readonly what: string
  readonly example: string
  /** The edit that the others follow from. */
  readonly row: Edit
  readonly rest: readonly Edit[]
  /** Uses the finished change; throws if it does not work, and says in a few words what was shown. */
  readonly show: (copy: Copy) => Promise<string>
}

export const SERVER = 'packages/server/src'
export const CONTRACT = 'packages/contract/src'

const at =
  (place: Edit['place']) =>
  (file: string, anchor: string, text: string): Edit => ({ file, anchor, place, text })

export const after = at('after')
export const before = at('before')
export const instead = at('instead')
export const created = (file: string, text: string): Edit => ({ file, anchor: null, place: 'instead', text })

export const filesOf = ({ row, rest }: Change): string[] => [...new Set([row, ...rest].map(({ file }) => file))].sort()

/** `source`: the file as it is; null if it does not exist. */
export function applied(source: string | null, { file, anchor, place, text }: Edit): string {
  if ((source === null) !== (anchor === null))
    throw new Error(`${file} ${source === null ? 'does not exist' : 'exists'}`)
  if (source === null || anchor === null) return text
  const times = source.split(anchor).length - 1
  if (times !== 1) throw new Error(`${file} contains the anchor ${JSON.stringify(anchor)} ${times} times, not once`)
  const replaced = { after: anchor + text, before: text + anchor, instead: text }[place]
  return source.replace(anchor, () => replaced)
}
