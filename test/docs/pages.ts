import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a page. Lines count from 1; `start` is the line of the opening fence. */
export interface Block {
  readonly language: string
  /** The words after the language: `run status=403` is `{run: '', status: '403'}`. */
  readonly options: Readonly<Record<string, string>>
  readonly lines: readonly string[]
  readonly start: number
  readonly end: number
}

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
  readonly line: number
}

export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly lines: readonly string[]
  readonly blocks: readonly Block[]
  readonly headings: readonly Heading[]
}

const optionOf = (word: string): [string, string] => {
  const at = word.indexOf('=')
  return at === -1 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)]
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open: { fence: string; words: string[]; start: number } | null = null
  for (const [index, line] of lines.entries()) {
    const fence = /^(`{3,})(.*)$/u.exec(line)
    if (fence === null) continue
    const [, ticks = '', info = ''] = fence
    if (open === null) {
      open = { fence: ticks, words: info.trim().split(/\s+/u), start: index + 1 }
    } else if (ticks === open.fence && info.trim() === '') {
      const [language = '', ...words] = open.words
      const content = lines.slice(open.start, index)
      const options = Object.fromEntries(words.map(optionOf))
      blocks.push({ language, options, lines: content, start: open.start, end: index + 1 })
      open = null
    }
  }
  return blocks
}

/** The anchor that code hosts generate for a heading. */
const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-')

function headingsOf(lines: readonly string[], blocks: readonly Block[]): Heading[] {
  const used = new Map<string, number>()
  return lines.flatMap((line, index) => {
    const [, marks = '', text = ''] = /^(#{1,6}) (.+)$/u.exec(line) ?? []
    if (marks === '' || blocks.some(({ start, end }) => index + 1 > start && index + 1 < end)) return []
    const plain = anchorOf(text)
    const count = used.get(plain) ?? 0
    used.set(plain, count + 1)
    return { level: marks.length, text, anchor: count === 0 ? plain : `${plain}-${count}`, line: index + 1 }
  })
}

export function parsePage(path: string, text: string): Page {
  const lines = text.split('\n')
  const blocks = blocksOf(lines)
  return { path, lines, blocks, headings: headingsOf(lines, blocks) }
}

export const readPage = (path: string): Page => parsePage(path, readFileSync(join(root, path), 'utf8'))

const markdownBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted()

/** README.md and every page below docs/. */
export const readPages = (): readonly Page[] => ['README.md', ...markdownBelow('docs')].map(readPage)
