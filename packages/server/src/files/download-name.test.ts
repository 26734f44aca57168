import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanName, extensionOf, titleOf } from './download-name.ts'

describe('the name under which a file is saved', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\report.pdf', 'report.pdf'],
    ['  padded.txt ', 'padded.txt'],
    ['line\r\nbreak\u0000.txt', 'linebreak.txt'],
    ['gpj.\u202Etxt.exe', 'gpj.txt.exe'],
    ['naïve – 文件 🎉.txt', 'naïve – 文件 🎉.txt'],
  ])('of %j is %j', (given, name) => expect(cleanName(given)).toBe(name))

  test.each(['', '.', '..', ' ', 'folder/', 'a/..', '\u0007', '\u2066'])('nothing is left of %j', (given) =>
    expect(cleanName(given)).toBeNull(),
  )

  test('has at most 255 characters, of any script', () => {
    expect(cleanName('文'.repeat(255))).toHaveLength(255)
    expect(cleanName('🎉'.repeat(255))).toBe('🎉'.repeat(255))
    expect(() => cleanName('x'.repeat(256))).toThrow('255')
  })

  test('never has a path, and cleaning it again changes nothing', () => {
    const character = fc.oneof(
      fc.constantFrom('/', '\\', '.', ' ', '\u0000', '\u202e'),
      fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
    )
    const names = fc.array(character, { maxLength: 60 }).map((all) => all.join(''))
    fc.assert(
      fc.property(names, (given) => {
        const name = cleanName(given)
        if (name === null) return
        expect(name).not.toMatch(/[/\\]/u)
        expect(cleanName(name)).toBe(name)
      }),
      { seed: 1, numRuns: 50 },
    )
  })
})

describe('the extension of an object', () => {
  test.each([
    ['report.PDF', 'pdf'],
    ['archive.tar.gz', 'gz'],
    ['.htaccess', null],
    ['no-extension', null],
    ['odd.p/h', null],
    ['long.abcdefghijklmnopq', null],
    ['text.文', null],
    ['dot.', null],
  ])('of %j is %j', (name, extension) => expect(extensionOf(name)).toBe(extension))
})

describe('the title of a file', () => {
  test.each([
    ['annual_report-final.txt', 'Annual Report Final'],
    ['photo.of.cat.png', 'Photo.of.cat'],
    ['.htaccess', '.htaccess'],
    ['éclair_au-café.md', 'Éclair Au Café'],
    ['___', '___'],
    ['ALREADY Upper.txt', 'ALREADY Upper'],
  ])('%j is %j', (name, title) => expect(titleOf(name)).toBe(title))
})
