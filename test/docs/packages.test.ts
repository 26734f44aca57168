import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGES } from '../../scripts/package/pack.ts'
import { parsePage, readPage, readPages, root } from './pages.ts'

/** The name that npm gives a tarball. */
function tarballOf(folder: string): string {
  const file = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
    'name' | 'version',
    string
  >
  return `${file.name.replace('@', '').replace('/', '-')}-${file.version}.tgz`
}

const tarballs = PACKAGES.map(tarballOf)
const namedIn = (text: string) => [...text.matchAll(/[\w-]+-\d+\.\d+\.\d+\.tgz/gu)].map(([name]) => name)

test('the installation page names every tarball that is packed', () => {
  expect(new Set(namedIn(readPage('docs/guides/install.md').lines.join('\n')))).toEqual(new Set(tarballs))
})

test('every tarball that a page names is packed', () => {
  const sdk = parsePage('packages/sdk/README.md', readFileSync(join(root, 'packages/sdk/README.md'), 'utf8'))
  const wrong = [...readPages(), sdk].flatMap(({ path, lines }) =>
    namedIn(lines.join('\n'))
      .filter((name) => !tarballs.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(wrong).toEqual([])
})

test('the page of the SDK says how to install it', () => {
  expect(readPage('docs/sdk.md').lines.join('\n')).toMatch(/^npm install \S+\/dist\/tain-sdk-\d+\.\d+\.\d+\.tgz$/mu)
})

const readmes = ['packages', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}/README.md`)
    .filter((path) => existsSync(join(root, path)))
    .map(readPage),
)
const pages = [...readPages(), readPage('examples/README.md'), ...readmes]

/** The commands of a page that a reader types. */
const commandsOf = ({ blocks }: (typeof pages)[number]) =>
  blocks.flatMap(({ language, lines }) => (language === 'sh' ? lines : []))

// npm has packages of other people under names that are not published.
test('no page installs a package by its name without saying that it is not published', () => {
  const isInstalled = (line: string) => /npm (?:install|i|add)\b[^#]* (?:tain|@tain\/\w+)(?:\s|$)/u.test(line)
  const wrong = pages.filter(
    (page) => commandsOf(page).some(isInstalled) && !page.lines.join(' ').includes('not published yet'),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
  expect(pages.filter((page) => commandsOf(page).some(isInstalled)).map(({ path }) => path)).toContain(
    'docs/quickstart.md',
  )
})

test('every page that runs "npx tain" says where it is installed', () => {
  const isRun = (line: string) => /\bnpx tain\b/u.test(line)
  const wrong = pages.filter((page) => commandsOf(page).some(isRun) && !/install\.md/u.test(page.lines.join('\n')))
  expect(wrong.map(({ path }) => path)).toEqual(['docs/guides/install.md'])
})
