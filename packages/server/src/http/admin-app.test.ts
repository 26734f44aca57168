import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAdminApp } from './admin-app.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tain-admin-files-'))
  mkdirSync(join(folder, 'assets'))
  write('index.html', '<head><base href="/admin/"></head>')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)

describe('the page', () => {
  const pageBelow = (prefix: string) => readAdminApp(folder, `https://example.com${prefix}`).index

  test('gets the path of the public address as its base, in every form', () => {
    const page = '<head><base href="/tain/admin/"></head>'
    const { bytes, br, gzip, type } = pageBelow('/tain')
    expect(bytes.toString()).toBe(page)
    expect(brotliDecompressSync(br ?? '').toString()).toBe(page)
    expect(gunzipSync(gzip ?? '').toString()).toBe(page)
    expect(type).toBe('text/html; charset=utf-8')
  })

  test('has another tag below another path', () => {
    expect(pageBelow('').etag).not.toBe(pageBelow('/tain').etag)
    expect(pageBelow('/tain').etag).toBe(pageBelow('/tain').etag)
  })

  test('keeps a path with characters that HTML or replacements give a meaning', () => {
    expect(pageBelow("/a&b/$&/$'").bytes.toString()).toBe(`<head><base href="/a&amp;b/$&amp;/$'/admin/"></head>`)
  })

  test('is not among the other files', () => {
    expect([...readAdminApp(folder, null).others.keys()]).toEqual([])
  })

  test.each([
    ['has no base', '<head></head>', /index\.html has no <base href="\/admin\/">/u],
    ['is missing', null, /it has no index\.html/u],
  ])('that %s is refused with what to do', (_, page, message) => {
    if (page === null) rmSync(join(folder, 'index.html'))
    else write('index.html', page)
    expect(() => pageBelow('')).toThrow(message)
    expect(() => pageBelow('')).toThrow(/"npm run build", or set ADMIN_APP=false/u)
  })
})

describe('a file', () => {
  const fileAt = (name: string) => readAdminApp(folder, null).others.get(name)

  test('is known by its path, with its media type', () => {
    write('assets/index-1.css', 'a {}')
    write('icons.svg', '<svg/>')
    write('assets/inter-1.woff2', 'font')
    expect(fileAt('assets/index-1.css')).toMatchObject({ bytes: Buffer.from('a {}'), type: 'text/css; charset=utf-8' })
    expect(fileAt('icons.svg')?.type).toBe('image/svg+xml')
    expect(fileAt('assets/inter-1.woff2')?.type).toBe('font/woff2')
    expect(fileAt('index-1.css')).toBeUndefined()
  })

  test('that is stored compressed is there as it is, too, with the tag of its content', () => {
    const script = 'export const a = 1'
    write('assets/a.js.br', brotliCompressSync(script))
    write('assets/a.js.gz', gzipSync(script))
    write('assets/b.js', script)
    const file = fileAt('assets/a.js')
    expect(file?.bytes.toString()).toBe(script)
    expect(brotliDecompressSync(file?.br ?? '').toString()).toBe(script)
    expect(gunzipSync(file?.gzip ?? '').toString()).toBe(script)
    expect(fileAt('assets/b.js')).toEqual({ bytes: Buffer.from(script), type: file?.type, etag: file?.etag })
  })

  test.each([
    ['that only some clients accept', 'assets/a.js.br', /assets\/a\.js is only there in a form/u],
    ['without a media type', 'assets/a.wasm', /assets\/a\.wasm has an ending without a media type/u],
  ])('%s is refused', (_, name, message) => {
    write(name, brotliCompressSync('x'))
    expect(() => readAdminApp(folder, null)).toThrow(message)
  })

  test('is no source map, and no link to a file elsewhere', () => {
    write('assets/a.js.map', '{}')
    symlinkSync('/etc/passwd', join(folder, 'assets/passwd.txt'))
    expect([...readAdminApp(folder, null).others.keys()]).toEqual([])
  })
})
