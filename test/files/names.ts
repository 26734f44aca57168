import { createRng, type Rng } from '../random/rng.ts'

const LONG = ['a', 'ä', '漢', '😀', 'ก', 'e\u0301'] as const

/** Names that somebody has tried somewhere. */
const PICKED: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '...',
  ' . ',
  ' .. ',
  '. .',
  '.htaccess',
  '.env',
  'a.',
  'a..',
  '.a.',
  ' a.txt ',
  '\u00a0a\u3000',
  '../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\a\\b.txt',
  'a/',
  'a/..',
  'a\\',
  '//',
  '/.',
  '\\..',
  'a\0b.txt',
  '\0',
  '\x01\x02',
  'a\tb.txt',
  'a\nb.txt',
  'a\r\nSet-Cookie: x=y',
  '\x7f\x80\x9f.txt',
  'a\x85b',
  '\x1b[31mred.txt',
  '\u202Etxt.exe',
  'a\u202Dgpj.exe',
  '\u2066x\u2069.txt',
  '\u202A\u202B\u202C',
  '\u200Ea.txt',
  '\u200Fb.txt',
  '\uFEFFbom.txt',
  '"quoted".txt',
  'a"b',
  "it's.txt",
  'a\\"b.txt',
  '""',
  '"; filename="b.txt',
  '`rm -rf`',
  '$(id).txt',
  'a;b=c.txt',
  'a,b.txt',
  '100%.txt',
  '%2e%2e%2fetc',
  '%00.txt',
  '%',
  '%zz',
  "UTF-8''a%20b.txt",
  "utf-8'en'x",
  '=?UTF-8?B?YQ==?=',
  'a%22b.txt',
  '+.txt',
  'CON',
  'con.txt',
  'PRN.',
  'AUX',
  'NUL.txt',
  'COM1',
  'LPT9.log',
  'desktop.ini',
  'Thumbs.db',
  'a:b.txt',
  'a.txt::$DATA',
  'a?*|<>.txt',
  'файл.txt',
  '文件.txt',
  'ملف.txt',
  'קובץ.txt',
  'फ़ाइल.txt',
  'ไฟล์.txt',
  '파일.txt',
  'αρχείο.txt',
  'e\u0301.txt',
  '\u00e9.txt',
  '😀.txt',
  '👨‍👩‍👧‍👦.png',
  '🏳️‍🌈',
  '🇨🇭.txt',
  '\u0301\u0302',
  'Z͑ͫ̓ͪ̂ͫ.txt',
  'ﬁ.txt',
  'İstanbul.TXT',
  'ß.TXT',
  '\u2028\u2029.txt',
  '\u3000',
  'a.tar.gz',
  'a.PNG',
  'a.p-g',
  'a.ext-too-long-for-a-key',
  'a.1234567890123456',
  'a.12345678901234567',
  'a.ÄÖ',
  'a.tx t',
  'a./x',
  'null',
  'true',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '<img src=x>',
  '-rf',
  '~',
  '~root',
  '--help',
  '|cat',
  '&',
  '#',
  '#fragment.txt',
  '?query=1',
  'a b  c.txt',
  '\ud7ff\ue000.txt',
  '\ufffd.txt',
  '\uffff.txt',
  '\u{10ffff}.txt',
  ...LONG.flatMap((letter) => [254, 255, 256].map((count) => letter.repeat(count).slice(0, count * letter.length))),
  ...LONG.flatMap((letter) => [251, 252].map((count) => `${letter.repeat(count)}.txt`)),
  `${' '.repeat(300)}a.txt`,
  `${'\u202e'.repeat(300)}b.txt`,
  `${'x/'.repeat(300)}c.txt`,
  '.'.repeat(255),
  '.'.repeat(256),
]

const PIECES: readonly string[] = [
  'a',
  'B',
  '7',
  '.',
  '..',
  '/',
  '\\',
  ' ',
  '"',
  "'",
  '%',
  '%41',
  ';',
  '=',
  '*',
  '\0',
  '\n',
  '\r',
  '\t',
  '\x7f',
  '\x85',
  '\u202e',
  '\u2069',
  'é',
  'e\u0301',
  '漢',
  '😀',
  'م',
  '\u200d',
  '\ufeff',
  '\u00a0',
  '.txt',
  '.PNG',
  '(',
  ')',
  '!',
  '~',
  '^',
  '`',
  '{',
  '}',
  '|',
  '<',
  '>',
  '\u2028',
]

const randomName = (rng: Rng): string => Array.from({ length: rng.int(1, 14) }, () => rng.pick(PIECES)).join('')

/** Names to try, some picked by hand, the rest by chance. */
export function hostileNames(count: number, seed: number): readonly string[] {
  const rng = createRng(seed)
  return Array.from({ length: count }, (_, at) => PICKED[at] ?? randomName(rng))
}

const isRemoved = (code: number): boolean =>
  code < 0x20 ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069)

export type Expected = { readonly name: string } | 'too long' | 'by id'

/** What becomes of a name. Written from the contract, without a look at the service. */
export function expectedName(given: string): Expected {
  const characters = Array.from(given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1))
  const name = characters
    .filter((character) => !isRemoved(character.codePointAt(0) ?? 0))
    .join('')
    .trim()
  if (Array.from(name).length > 255) return 'too long'
  return name === '' || name === '.' || name === '..' ? 'by id' : { name }
}

/** The extension of an object. */
export function expectedExtension(given: string, ofType: string): string {
  const expected = expectedName(given)
  const name = typeof expected === 'string' ? '' : expected.name
  const dot = name.lastIndexOf('.')
  const own = dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
  return own.length <= 16 && /^[a-z0-9]+$/u.test(own) ? own : ofType
}

/** The name in a `Content-Disposition`, as RFC 6266 says; null: it has none, or is no such header. */
export function parsedDisposition(header: string): string | null {
  const parameters = new Map<string, string>()
  let rest = header.replace(/^(?:inline|attachment)/u, '')
  while (rest !== '') {
    const found = /^; ([a-z]+\*?)=(?:"((?:[ !#-[\]-~]|\\[ -~])*)"|([A-Za-z0-9!#$&+.^_`|~'%-]+))/u.exec(rest)
    if (found === null || parameters.has(found[1]!)) return null
    parameters.set(found[1]!, found[2]?.replaceAll(/\\(.)/gu, '$1') ?? found[3] ?? '')
    rest = rest.slice(found[0].length)
  }
  const extended = parameters.get('filename*')
  if (extended === undefined) return parameters.get('filename') ?? null
  return extended.startsWith("UTF-8''") ? decodeURIComponent(extended.slice(7)) : null
}
