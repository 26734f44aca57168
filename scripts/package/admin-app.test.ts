import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildAdminApp } from './admin-app.ts'
import { top } from './build.ts'
import { licencesOf } from './licences.ts'

const PAGE = `<!doctype html><html><head><base href="/admin/" /></head>
<body><script type="module" src="/main.js"></script></body></html>
`
const FONT = 'inter-latin-wght-normal.woff2'
const CONFIG = `export default { base: './', build: { sourcemap: true, assetsInlineLimit: 0 } }`

let work: string
let source: string
let built: string

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'tain-build-app-'))
  ;[source, built] = [join(work, 'app'), join(work, 'built')]
  mkdirSync(join(source, 'public'), { recursive: true })
  symlinkSync(join(top, 'node_modules'), join(source, 'node_modules'))
  write('package.json', '{ "type": "module" }')
  write('vite.config.js', CONFIG)
  write('public/begin.js', 'document.title = "Tain"\n')
  write('index.html', PAGE)
  write('main.js', `import { version } from 'react'\ndocument.body.textContent = version + ${'1'.repeat(2000)}n\n`)
})
afterEach(() => rmSync(work, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(source, name), text)

describe('the build of the admin app', () => {
  test('stores what shrinks compressed, everything else as it is, and no source map', async () => {
    const { NODE_ENV } = process.env
    await buildAdminApp(source, built)
    expect(process.env['NODE_ENV']).toBe(NODE_ENV)
    const names = readdirSync(built, { recursive: true, encoding: 'utf8' }).sort()
    expect(names).toEqual([
      'assets',
      expect.stringMatching(/^assets\/index-[\w-]+\.js\.br$/u),
      expect.stringMatching(/^assets\/index-[\w-]+\.js\.gz$/u),
      'begin.js',
      'index.html',
    ])
    const [br = '', gz = ''] = names.slice(1, 3).map((name) => join(built, name))
    const script = brotliDecompressSync(readFileSync(br)).toString()
    expect(script).toContain('1'.repeat(2000))
    expect(gunzipSync(readFileSync(gz)).toString()).toBe(script)
    expect(readFileSync(join(built, 'index.html'), 'utf8')).toMatch(/src="\.\/assets\/index-[\w-]+\.js"/u)
  })

  test('tells the packages whose code and files it contains', async () => {
    write('main.css', `@font-face { font-family: Inter; src: url(@fontsource-variable/inter/files/${FONT}) }`)
    write('main.js', `import './main.css'\nimport { version } from 'react'\ndocument.title = version\n`)
    const packages = ['@fontsource-variable/inter', 'react'].map((name) => join(top, 'node_modules', name))
    expect(await buildAdminApp(source, built)).toEqual(packages)
  })

  test('replaces an older one', async () => {
    mkdirSync(built)
    writeFileSync(join(built, 'old.js'), '')
    await buildAdminApp(source, built)
    expect(readdirSync(built)).not.toContain('old.js')
  })

  test.each([
    ['does not compile', () => write('main.js', 'import {'), /The admin app was not built: /u],
    ['imports what is not there', () => write('main.js', `import 'no-such-package'`), /no-such-package/u],
    ['is not there', () => rmSync(join(source, 'index.html')), /The admin app is missing: .* has no index\.html/u],
    ['could not be served', () => write('index.html', '<p>'), /index\.html has no <base href="\/admin\/">/u],
  ])('fails if the app %s', async (_, spoil, message) => {
    spoil()
    await expect(buildAdminApp(source, built)).rejects.toThrow(message)
  })
})

describe('licences', () => {
  const packageWith = (name: string, manifest: object, licence?: string): string => {
    const folder = join(work, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }))
    if (licence !== undefined) writeFileSync(join(folder, 'LICENSE.md'), licence)
    return folder
  }

  test('name every package, and have each text once', () => {
    const folders = [
      packageWith('b', {}, 'Be kind.\n'),
      packageWith('c', {}, 'Be fair.'),
      packageWith('a', {}, 'Be kind.'),
    ]
    expect(licencesOf(folders)).toBe(`a 1.0.0\nb 1.0.0\n\nBe kind.\n\n${'-'.repeat(80)}\n\nc 1.0.0\n\nBe fair.\n`)
  })

  test('without a text are accepted only if they ask for nothing', () => {
    expect(licencesOf([packageWith('free', { license: 'Unlicense' })])).toContain('Licence: Unlicense')
    const other = packageWith('other', { license: 'MIT' })
    expect(() => licencesOf([other])).toThrow('other has no file with its licence')
  })
})
