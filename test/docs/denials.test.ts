import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addresses } from '@tain/contract'
import { expect, test } from 'vitest'
import { settings } from '../../packages/server/src/config.ts'
import { parsePage, readPage, readPages, root, type Page } from './pages.ts'

/** What the service has, as pages call it, and the page that describes it. */
const features: Readonly<Record<string, string>> = {
  'admin app': 'admin.md',
  assets: 'assets.md',
  dashboards: 'database.md',
  endpoints: 'extensions.md',
  'event triggers': 'coming-from.md',
  extensions: 'extensions.md',
  files: 'files.md',
  geometry: 'query.md',
  graphiql: 'graphql.md',
  graphql: 'graphql.md',
  hooks: 'extensions.md',
  jobs: 'extensions.md',
  metrics: 'operations/observability.md',
  modules: 'extensions.md',
  openapi: 'openapi.md',
  pictures: 'assets.md',
  realtime: 'realtime.md',
  revisions: 'database.md',
  snapshots: 'guides/snapshots.md',
  sockets: 'realtime.md',
  subscriptions: 'realtime.md',
  traces: 'operations/observability.md',
  uploads: 'files.md',
  webhooks: 'webhooks.md',
  websockets: 'realtime.md',
}

const featureNames = Object.keys(features).map((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'iu'))
const codeNames = new Set([
  ...addresses.flatMap(({ method, path }) => [path, `${method} ${path}`]),
  ...Object.values(settings).map(({ name }) => name),
])

const namesExisting = (text: string): boolean =>
  featureNames.some((pattern) => pattern.test(text)) ||
  [...text.matchAll(/`([^`]+)`/gu)].some(([, code = '']) => codeNames.has(code))

const DENIED_CELL = /^\s*(?:not yet|not supported|not available)\b/iu
const DENIED_HEADING = /\b(?:not supported|not yet|not available|missing)\b/iu
/** The subject before the denial; in a relative clause it is not the thing itself. */
const AFTER =
  /^(.*?)(?<!\b(?:that|which|it|they|there)) (?:(?:do|does) not exist|(?:is|are) not (?:yet )?(?:supported|available|built)|(?:is|are) (?:unsupported|planned)|(?:is|are) not there yet|not yet)\b/iu
const BEFORE =
  /\b(?:there (?:is|are) (?:still )?no|(?:it|tain|the service|the package) (?:has (?:still )?no|does not (?:have|support))) ((?:[\w-]+ ?){1,3})/iu

/** The lines of a page that deny something, with what they deny. */
function denialsIn({ lines, blocks }: Page): readonly { readonly line: number; readonly subject: string }[] {
  const isCode = (line: number) => blocks.some(({ start, end }) => line >= start && line <= end)
  let heading = ''
  return lines.flatMap((text, index) => {
    const line = index + 1
    if (isCode(line)) return []
    heading = /^#+ (.*)$/u.exec(text)?.[1] ?? heading
    const [first = '', ...cells] = text.startsWith('|') ? text.split('|').slice(1, -1) : []
    const denied = cells.filter((cell) => DENIED_CELL.test(cell))
    if (denied.length > 0) return [{ line, subject: `${first} ${denied.join(' ')}` }]
    if (DENIED_HEADING.test(heading) && /^\s*- /u.test(text)) return [{ line, subject: text }]
    const sentences = text.replaceAll(/`[^`]* [^`]*`/gu, (code) => code.replace('. ', '.')).split(/(?<=[.:;|])\s+/u)
    return sentences.flatMap((sentence) =>
      [AFTER.exec(sentence)?.[1], BEFORE.exec(sentence)?.[1]].flatMap((subject) =>
        subject === undefined ? [] : [{ line, subject }],
      ),
    )
  })
}

const falseDenialsIn = (page: Page): readonly string[] =>
  denialsIn(page)
    .filter(({ subject }) => namesExisting(subject))
    .map(({ line, subject }) => `${page.path}:${line}: ${subject.trim()}`)

const otherPages = [
  'CONTRIBUTING.md',
  'SECURITY.md',
  'RELEASING.md',
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}/README.md`)
      .filter((path) => existsSync(join(root, path))),
  ),
].map(readPage)

test('every feature of the list has its page', () => {
  for (const [name, page] of Object.entries(features)) {
    const text = readFileSync(join(root, 'docs', page), 'utf8').toLowerCase()
    expect([name, text.includes(name)]).toEqual([name, true])
  }
})

test.each([
  'Files and realtime do not exist yet.',
  '| subscriptions, actions, event triggers | not yet |',
  '| `directus_webhooks` | – | There are no webhooks. |',
  'The package is a program. It has no modules to import.',
  '## Not supported yet\n\n- Geometry operators',
  '| WebSockets: origin, limits | 31 |  | – | not yet: realtime |',
  'The route `/files/import` does not exist.',
  '`METRICS_PORT` is not supported.',
  'WebSockets are planned.',
  'Tain does not support webhooks.',
])('"%s" is found', (text) => {
  expect(falseDenialsIn(parsePage('page.md', text))).toHaveLength(1)
})

test.each([
  'Renaming is not supported.',
  'A file that does not exist is forbidden.',
  'The service creates files if they do not exist.',
  '| `/rpc/function` | not available |',
  'There is no build: Node reads the files as they are.',
])('"%s" denies nothing that exists', (text) => {
  expect(falseDenialsIn(parsePage('page.md', text))).toEqual([])
})

test('no page denies what exists', () => {
  expect([...readPages(), ...otherPages].flatMap(falseDenialsIn)).toEqual([])
})
