import { expect, test } from 'vitest'
import { readPages, type Page } from './pages.ts'

const LONGEST_SENTENCE = 40

/** Phrases to avoid, with the words to use instead. */
const avoided: Readonly<Record<string, string>> = {
  'but for': 'except',
  'as far as': 'if',
  'of its own': 'separate',
  rehearsal: 'dry run',
  simply: 'nothing',
  'please note': 'nothing',
  utilize: 'use',
  'in order to': 'to',
  leverage: 'use',
  seamless: 'nothing',
  powerful: 'nothing',
}

/** Pages that were written for users; the others are definitions and records. */
const guides = new Set([
  'README.md',
  ...[
    'README',
    'authentication',
    'coming-from',
    'database',
    'deploy',
    'directus-sdk',
    'errors',
    'limits',
    'permissions',
    'query',
    'quickstart',
    'relations',
    'schema-changes',
    'sdk',
    'tasks',
    'tutorials/shop',
    'tutorials/tenants',
    'upgrade',
    'writing',
  ].map((name) => `docs/${name}.md`),
])

interface Sentence {
  readonly text: string
  readonly line: number
}

/** Paragraphs and list entries without code blocks, tables and headings, as sentences. */
function sentencesOf({ lines, blocks }: Page): Sentence[] {
  const isProse = (line: string, index: number) =>
    !/^(?:#|\||<|```)/u.test(line) && !blocks.some(({ start, end }) => index + 1 >= start && index + 1 <= end)
  const paragraphs: { text: string; line: number }[] = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const isText = isProse(line, index) && line.trim() !== ''
    const last = paragraphs.at(-1)
    if (isText && isOpen && last !== undefined && !/^\s*(?:-|\d+\.) /u.test(line)) last.text += ` ${line.trim()}`
    else if (isText) paragraphs.push({ text: line.trim(), line: index + 1 })
    isOpen = isText
  }
  return paragraphs.flatMap(({ text, line }) =>
    text
      .replaceAll(/`[^`]*`/gu, 'code')
      .split(/(?<=[.:?!])\s+(?=[A-Z`[])/u)
      .map((sentence) => ({ text: sentence, line })),
  )
}

const pages = readPages().filter(({ path }) => guides.has(path))
const everySentence = pages.flatMap((page) => sentencesOf(page).map((sentence) => ({ ...sentence, path: page.path })))

test(`sentences have at most ${LONGEST_SENTENCE} words`, () => {
  const long = everySentence
    .filter(({ text }) => text.split(/\s+/u).length > LONGEST_SENTENCE)
    .map(({ path, line, text }) => `${path}:${line}: ${text}`)
  expect(long).toEqual([])
})

test('plain words are used', () => {
  const found = everySentence.flatMap(({ path, line, text }) =>
    Object.entries(avoided)
      .filter(([phrase]) => new RegExp(`\\b${phrase}\\b`, 'iu').test(text))
      .map(([phrase, instead]) => `${path}:${line}: "${phrase}": use ${instead}`),
  )
  expect(found).toEqual([])
})

test('no sentence begins with What or Who as its subject', () => {
  const found = everySentence
    .filter(({ text }) => /^(?:What|Who) (?!to\b)/u.test(text) && !text.endsWith('?'))
    .map(({ path, line, text }) => `${path}:${line}: ${text}`)
  expect(found).toEqual([])
})

test('a page begins with a title and a paragraph', () => {
  const bare = pages
    .filter(({ lines }) => !/^# \S/u.test(lines[0] ?? '') || !/^[A-Z`]/u.test(lines[2] ?? ''))
    .map(({ path }) => path)
  expect(bare).toEqual([])
})
