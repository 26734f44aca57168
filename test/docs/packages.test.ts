import { readFileSync } from 'node:fs'
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
