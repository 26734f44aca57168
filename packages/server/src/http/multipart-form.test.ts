import { describe, expect, it } from 'vitest'
import { boundaryOf, formParts } from './multipart-form.ts'

interface Found {
  readonly name: string
  readonly filename: string | null
  readonly type: string | null
  readonly content: string
}

async function* chunks(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield piece
}

/** The parts of a form, or the words with which it is refused. */
async function read(pieces: readonly Buffer[], boundary = 'b'): Promise<readonly Found[] | string> {
  const found: Found[] = []
  try {
    for await (const { content, ...part } of formParts(chunks(pieces), boundary)) {
      const bytes: Buffer[] = []
      for await (const piece of content) bytes.push(piece)
      found.push({ ...part, content: Buffer.concat(bytes).toString('latin1') })
    }
    return found
  } catch (error) {
    return (error as Error).message
  }
}

const part = (header: string, content: string, boundary = 'b') => `--${boundary}\r\n${header}\r\n\r\n${content}\r\n`
const file = (content: string, disposition = 'filename="a.txt"') =>
  part(`Content-Disposition: form-data; name="file"; ${disposition}`, content)
const field = (name: string, content: string) => part(`Content-Disposition: form-data; name="${name}"`, content)
const whole = (text: string) => [Buffer.from(text, 'latin1')]
const END = '--b--\r\n'

const forms: Readonly<Record<string, string>> = {
  'fields and files': field('title', 'A') + file('content') + field('tags', '[1]') + END,
  'empty contents': field('title', '') + file('') + END,
  'look-alikes of the boundary': file('--b\r\n-b\r\n--\r\n\r\n--B\n--b--\r\n--') + END,
  'line ends at both ends': file('\r\n\r\ntext\r\n\r\n') + END,
  'bytes of all kinds': file(String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))) + END,
  'text before and after': `before --b\r\n${field('title', 'A')}${END}after\r\n--b\r\nmore`,
  'space after a boundary': `--b \t\r\nContent-Disposition: form-data; name=plain\r\n\r\nx\r\n--b--`,
  'a boundary that goes on': `${file('x')}--bb\r\n\r\n`,
  'no end': file('content'),
  'half an end': `${file('content')}--b-`,
  'no line end after the header': '--b\r\nContent-Disposition: form-data; name="x"\r\n',
  'a part without a header': `--b\r\n\r\ncontent\r\n${field('x', 'y')}${END}`,
  'no boundary at all': 'nothing of the kind',
  nothing: '',
}

describe('formParts', () => {
  it.each(Object.entries(forms))('reads %s alike wherever the bytes are divided', async (_name, text) => {
    const bytes = Buffer.from(text, 'latin1')
    const expected = await read([bytes])
    for (let at = 0; at <= bytes.length; at += 1)
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected)
    const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1))
    expect(await read(single)).toEqual(expected)
  })

  it('gives every part with its name, type and content', async () => {
    const typed =
      'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: Text/CSV; charset=utf-8'
    expect(await read(whole(field('title', 'A') + part(typed, 'x') + END))).toEqual([
      { name: 'title', filename: null, type: null, content: 'A' },
      { name: 'file', filename: 'a.txt', type: 'text/csv', content: 'x' },
    ])
  })

  it('keeps what only looks like a boundary', async () => {
    const content = '--b\r\n-b\r\n--\r\n\r\n--B\n--b--\r\n--'
    expect(await read(whole(file(content) + END))).toEqual([{ name: 'file', filename: 'a.txt', type: null, content }])
  })

  it.each(['no end', 'half an end', 'no line end after the header', 'a boundary that goes on'])(
    'refuses %s',
    async (name) => {
      expect(await read(whole(forms[name] ?? ''))).toContain('it ends in the middle')
    },
  )

  it.each([
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ['filename="a\\\\b.txt"', 'a\\b.txt'],
    ['filename="C:\\path\\name.txt"', 'C:\\path\\name.txt'],
    ['filename="ends with\\"', 'ends with\\'],
    ['filename="a;b=c.txt"', 'a;b=c.txt'],
    ['filename=""', ''],
    ['filename=plain.txt', 'plain.txt'],
    ['FileName = "a.txt"', 'a.txt'],
    ['filename="x.txt"; filename*=UTF-8\'\'%e2%82%ac%20rates.txt', '€ rates.txt'],
    ["filename*=utf-8'en'%41.txt", 'A.txt'],
    ['filename*=iso-8859-1\'\'%A3.txt; filename="pound.txt"', 'pound.txt'],
  ])('understands %s', async (disposition, expected) => {
    const found = await read(whole(file('x', disposition) + END))
    expect(found).toMatchObject([{ filename: expected, content: 'x' }])
  })

  it('reads names in UTF-8', async () => {
    const text = file('x', 'filename="Ä€😀.txt"') + END
    expect(await read([Buffer.from(text)])).toMatchObject([{ filename: 'Ä€😀.txt' }])
  })

  it('refuses a name whose encoding is broken, and parts without a name', async () => {
    expect(await read(whole(file('x', "filename*=UTF-8''%ff") + END))).toContain('RFC 8187')
    expect(await read(whole(part('Content-Disposition: form-data', 'x') + END))).toContain('no name')
    expect(await read(whole(part('Content-Disposition: attachment; name="x"', 'x') + END))).toContain(
      'no Content-Disposition',
    )
    expect(await read(whole(part('X-Other: 1', 'x') + END))).toContain('no Content-Disposition')
  })

  it('takes no longer for a header of backslashes than for another one', async () => {
    for (const value of ['\\'.repeat(16_000), `${'\\\\'.repeat(5000)}\\`, ';a="\\'.repeat(3000)])
      expect(
        await read(whole(part(`Content-Disposition: form-data; name="x"; filename="${value}`, 'x') + END)),
      ).toHaveLength(1)
  })

  const padded = (size: number) => {
    const header = 'Content-Disposition: form-data; name="x"\r\nX: '
    return whole(part(header + 'y'.repeat(size - header.length), 'content') + END)
  }

  it('takes a header of 16 KB and refuses a longer one, however it arrives', async () => {
    const inPieces = ([bytes = Buffer.alloc(0)]: readonly Buffer[]) =>
      Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, at) => bytes.subarray(at * 1000, (at + 1) * 1000))
    for (const arrive of [(form: Buffer[]) => form, inPieces]) {
      expect(await read(arrive(padded(16 * 1024)))).toHaveLength(1)
      expect(await read(arrive(padded(16 * 1024 + 1)))).toContain('the header of a part has more than 16384 bytes')
    }
  })

  it('refuses text before the first boundary beyond 16 KB, however it arrives', async () => {
    const text = `${'x'.repeat(20_000)}\r\n${field('a', 'b')}${END}`
    const bytes = Buffer.from(text)
    for (const pieces of [[bytes], [bytes.subarray(0, 15_000), bytes.subarray(15_000)]])
      expect(await read(pieces)).toContain('its boundary is missing')
  })

  it('takes 100 fields and 100 files, and no more of either', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => field(`f${at}`, 'x')).join('')
    const files = (count: number) => Array.from({ length: count }, () => file('x')).join('')
    expect(await read(whole(fields(100) + files(100) + END))).toHaveLength(200)
    expect(await read(whole(fields(101) + END))).toContain('at most 100 fields')
    expect(await read(whole(files(101) + END))).toContain('at most 100 files')
  })

  it('skips content that nobody reads', async () => {
    const names: string[] = []
    for await (const { name } of formParts(chunks(whole(file('long content') + field('after', 'x') + END)), 'b'))
      names.push(name)
    expect(names).toEqual(['file', 'after'])
  })
})

describe('boundaryOf', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b;c"', 'a b;c'],
    ['multipart/form-data', ''],
    ['multipart/form-data; boundary=', ''],
    ['multipart/form-database; boundary=abc', null],
    ['application/json', null],
    [undefined, null],
  ])('finds in %s: %s', (header, expected) => {
    expect(boundaryOf(header)).toBe(expected)
  })
})
