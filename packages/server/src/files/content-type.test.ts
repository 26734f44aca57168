import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { contentTypeOf, extensionOfType, isAllowedType } from './content-type.ts'

const type = (content: string, claim: string | null = null, name = 'file') =>
  contentTypeOf(Buffer.from(content, 'latin1'), claim, name)

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const OCTETS = 'application/octet-stream'

describe('a signature wins over the claim', () => {
  test.each([
    ['\u0089PNG\r\n\u001A\n', 'image/png'],
    ['\u00FF\u00D8\u00FF\u00E0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\u001Cftypavif\0\0\0\0avifmif1miaf', 'image/avif'],
    ['\0\0\0\u001Cftypmif1\0\0\0\0avifmif1miaf', 'image/avif'],
    ['\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'image/heic'],
    ['II*\0\u0008\0\0\0', 'image/tiff'],
    ['MM\0*\0\0\0\u0008', 'image/tiff'],
    [`BM${'\0'.repeat(12)}\u0028\0\0\0`, 'image/bmp'],
    ['\0\0\u0001\0\u0001\0\u0010\u0010\0\0', 'image/x-icon'],
    ['%PDF-1.7', 'application/pdf'],
    ['\u001F\u008B\u0008\0', 'application/gzip'],
    ['ID3\u0004', 'audio/mpeg'],
    ['\u00FF\u00FB\u0090\0', 'audio/mpeg'],
    ['\0\0\0\u0018ftypmp42', 'video/mp4'],
    ['\0\0\0\u0018ftypM4A \0\0\0\0', 'audio/mp4'],
    ['\u001A\u0045\u00DF\u00A3\u0042\u0082\u0084webm', 'video/webm'],
    ['OggS\0\u0002', 'audio/ogg'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['fLaC', 'audio/flac'],
    ['wOFF\0\u0001', 'font/woff'],
    ['wOF2\0\u0001', 'font/woff2'],
    [`PK\u0005\u0006${'\0'.repeat(18)}`, 'application/zip'],
  ])('%j is %s', async (content, expected) => {
    for (const claim of [null, 'text/html', 'text/plain', expected]) expect(await type(content, claim)).toBe(expected)
  })

  test('kinds that the bytes cannot tell apart are told by the claim', async () => {
    expect(await type('OggS', 'video/ogg')).toBe('video/ogg')
    expect(await type('\0\0\0\u0018ftypmp42', 'audio/mp4')).toBe('audio/mp4')
  })
})

describe('a claim', () => {
  test.each([
    ['image/png', '<script>alert(1)</script>', OCTETS],
    ['image/jpg', 'words', OCTETS],
    ['application/pdf', '', OCTETS],
    [DOCX, 'words', OCTETS],
    ['text/html', '<p>', 'text/html'],
    ['image/svg+xml', '<?xml version="1.0"?><svg/>', 'image/svg+xml'],
    ['text/plain', 'BMW and MZ are words, too', 'text/plain'],
    ['text/plain', '\u00FF\u00FEw\0o\0', 'text/plain'],
    ['Text/CSV; charset=utf-8', 'a,b', 'text/csv'],
    ['application/x-own', 'a', 'application/x-own'],
    ['no type', 'a', OCTETS],
    ['a/b\r\nX: y', 'a', OCTETS],
  ])('of %s for %j gives %s', async (claim, content, expected) => expect(await type(content, claim)).toBe(expected))
})

describe('without a claim the extension decides', () => {
  test.each([
    ['data.csv', 'text/csv'],
    ['DATA.TXT', 'text/plain'],
    ['data.unheard-of', OCTETS],
    ['picture.png', OCTETS],
    ['constructor', OCTETS],
  ])('%s is %s', async (name, expected) => expect(await type('a,b', null, name)).toBe(expected))
})

describe('an archive is what lies in it', () => {
  const zip = (entries: Readonly<Record<string, string>>, compress = true) => {
    const file = new ZipFile()
    for (const [name, content] of Object.entries(entries)) file.addBuffer(Buffer.from(content), name, { compress })
    file.end()
    return buffer(file.outputStream)
  }

  test('a book, a document, and an archive', async () => {
    const book = await zip({ mimetype: 'application/epub+zip', 'a.html': '<p>' }, false)
    expect(await contentTypeOf(book, 'application/zip', 'a.zip')).toBe('application/epub+zip')
    const types = `<Types><Override ContentType="${DOCX}.main+xml" PartName="/word/document.xml"/></Types>`
    const document = await zip({ '[Content_Types].xml': types, 'word/document.xml': '<w/>' })
    expect(await contentTypeOf(document, null, 'a')).toBe(DOCX)
    expect(await contentTypeOf(await zip({ 'a.txt': 'a' }), 'text/plain', 'a.txt')).toBe('application/zip')
    expect(await contentTypeOf(await zip({ 'a.txt': 'a' }), 'text/html', 'a.html')).toBe('application/zip')
  })

  test('whose kind lies behind the first bytes is what the claim says', async () => {
    expect(await contentTypeOf(await zip({ 'a.txt': 'a' }), DOCX, 'a.docx')).toBe(DOCX)
    expect(await contentTypeOf(await zip({ 'a.txt': 'a' }), null, 'a.docx')).toBe(DOCX)
  })

  test('and a broken one fails nobody', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const found = await contentTypeOf(Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes]), null, 'a')
        expect(found).toMatch(/^[\w.+-]+\/[\w.+-]+$/u)
      }),
    )
  })
})

test('extensions of types', () => {
  expect(['image/jpeg', 'text/plain', 'application/x-own', 'constructor'].map(extensionOfType)).toEqual([
    'jpg',
    'txt',
    null,
    null,
  ])
})

test('lists of allowed types', () => {
  expect(isAllowedType('image/png', ['*/*'])).toBe(true)
  expect(isAllowedType('image/png', ['image/*', 'text/plain'])).toBe(true)
  expect(isAllowedType('text/plain', ['image/*', 'Text/Plain'])).toBe(true)
  expect(isAllowedType('text/html', ['image/*', 'text/plain'])).toBe(false)
  expect(isAllowedType('imagery/png', ['image/*'])).toBe(false)
  expect(isAllowedType('image/png', [])).toBe(false)
})
