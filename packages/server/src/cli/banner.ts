import { printable } from '../lib/printable.ts'
import { widthOf, type Terminal } from './terminal.ts'

/** What a start tells the person who started it. `start-facts.ts` computes it. */
export interface StartFacts {
  readonly version: string
  /** The database with its version, such as `PostgreSQL 15.19`. */
  readonly vendor: string
  readonly database: string
  readonly tables: number
  readonly views: number
  readonly relations: number
  /** What is not served like any other table, and what was done about it. */
  readonly awkward: readonly { readonly what: string; readonly names: readonly string[] }[]
  readonly origin: string
  /** The address of the admin app; null: it is not served. */
  readonly admin: string | null
  readonly paths: { readonly rest: string; readonly graphql: string }
  /** What the service writes to the database by itself. */
  readonly writes: string
  /** Sentences end with a full stop or a colon; anything else is a command, which can be pasted into a shell. */
  readonly next: readonly string[]
}

const WIDEST = 80
const NARROWEST = 40
const LABEL = 9

/** The lines that a start prints on a terminal: at most 80 columns wide, without a line break at the end. */
export function startBanner(facts: StartFacts, { columns, paint }: Pick<Terminal, 'columns' | 'paint'>): string {
  // A terminal that does not know its size reports 0 columns.
  const width = columns === 0 ? WIDEST : Math.min(WIDEST, Math.max(NARROWEST, columns))
  const room = width - LABEL
  const part = (label: string, lines: readonly string[]): string[] =>
    lines.map((line, index) => `${index === 0 ? paint('dim', label.padEnd(LABEL)) : ' '.repeat(LABEL)}${line}`)
  const { version, vendor, database, origin, paths } = facts
  const rest = [vendor, database].map(printable).join(' · ')
  return [
    `${paint('bold', `tain ${version}`)} · ${cut(rest, width - `tain ${version} · `.length)}`,
    [count(facts.tables, 'table'), count(facts.views, 'view'), count(facts.relations, 'relation')].join(', '),
    ...part(
      'Awkward',
      facts.awkward.map((one) => paint('yellow', listed(one.what, one.names.map(printable), room))),
    ),
    ...part('Admin', facts.admin === null ? [] : [facts.admin]),
    ...part('REST', [`${origin}${paths.rest}`]),
    ...part('GraphQL', [`${origin}${paths.graphql}`]),
    ...part('Writes', sentenceLines(printable(facts.writes), room)),
    ...part(
      'Next',
      facts.next.flatMap((entry) => linesOf(entry, room)),
    ),
  ].join('\n')
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** As many names as one line holds. */
function listed(what: string, names: readonly string[], room: number): string {
  const lineWith = (shown: number) => {
    const rest = names.length - shown
    return `${what}: ${names.slice(0, shown).join(', ')}${rest === 0 ? '' : ` and ${rest.toLocaleString('en')} more`}`
  }
  // A name takes at least three columns with its comma, so no line holds more than a third of its room.
  for (let shown = Math.min(names.length, Math.ceil(room / 3)); shown > 0; shown -= 1)
    if (widthOf(lineWith(shown)) <= room) return lineWith(shown)
  return cut(what, room)
}

function cut(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) >= room) break
    kept += character
  }
  return `${kept}…`
}

const linesOf = (entry: string, room: number): readonly string[] =>
  /[.:]$/u.test(entry) ? sentenceLines(entry, room) : commandLines(entry, room)

const sentenceLines = (text: string, room: number): readonly string[] => wrapped(text.split(' '), room, '').split('\n')

/** A word, or a short option with its quoted value. */
const shellWord = /(?:-[A-Za-z] (?=['"]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/gu

/** A shell joins the lines again. Line breaks inside quotes stay; the spaces before them are for JSON, which ignores them. */
const commandLines = (text: string, room: number): readonly string[] =>
  wrapped(text.match(shellWord) ?? [], room, ' \\').split('\n')

/** Breaks between words. A word that is wider than the room stays whole: it may be an address. */
function wrapped(words: readonly string[], room: number, continuation: string): string {
  const [first = '', ...rest] = words
  let text = first
  let last = first.split('\n').at(-1) ?? ''
  for (const word of rest) {
    const [head = '', ...tail] = word.split('\n')
    const isFull = widthOf(`${last} ${head}`) + (tail.length > 0 ? 0 : continuation.length) > room
    text += isFull ? `${continuation}\n${word}` : ` ${word}`
    last = tail.at(-1) ?? (isFull ? head : `${last} ${head}`)
  }
  return text
}
