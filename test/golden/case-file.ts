import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'cases')
const fileOf = (name: string) => join(folder, `${name}.golden`)

/** The order in the file. A statement that equals an earlier one is written as `-- mysql8: as mysql`. */
const statementSections = ['postgres', 'mysql', 'mysql8', 'sqlite'] as const
const sections = ['request', 'result', ...statementSections] as const

export type Section = (typeof sections)[number]

/** A golden file: the request, its result on every database, and the statement of each dialect. */
export type GoldenCase = Readonly<Partial<Record<Section, string>>>

export const caseNames = (): readonly string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.golden$/u, ''))
    .toSorted()

export function parseCase(text: string): GoldenCase {
  const [request = '', ...parts] = text.split(/^-- /mu)
  const found: Partial<Record<string, string>> = { request: withOneNewline(request) }
  for (const part of parts) {
    const end = part.indexOf('\n')
    const [name = '', same] = part.slice(0, end).split(': as ')
    found[name] = same === undefined ? withOneNewline(part.slice(end + 1)) : found[same]
  }
  return found
}

export function formatCase(golden: GoldenCase): string {
  const parts = sections.flatMap((section) => {
    const text = golden[section]
    if (text === undefined) return []
    if (section === 'request') return [text]
    const earlier = statementSections.slice(
      0,
      statementSections.findIndex((each) => each === section),
    )
    const same = earlier.find((dialect) => section !== 'result' && golden[dialect] === text)
    return [same === undefined ? `-- ${section}\n${text}` : `-- ${section}: as ${same}\n`]
  })
  return parts.join('\n')
}

const withOneNewline = (text: string) => `${text.trimEnd()}\n`

const readCase = (name: string): GoldenCase => parseCase(readFileSync(fileOf(name), 'utf8'))

export function readSection(name: string, section: Section): string {
  const text = readCase(name)[section]
  if (text === undefined) throw new Error(`${fileOf(name)} has no section ${section}: npm run golden writes it`)
  return text
}

export const writeSection = (name: string, section: Section, text: string): void =>
  writeFileSync(fileOf(name), formatCase({ ...readCase(name), [section]: text }))
