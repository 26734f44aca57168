import { expect, test } from 'vitest'
import { nameInDisposition } from './disposition-name.ts'

test.each([
  [undefined, null],
  ['inline', null],
  ['attachment; filename=""', null],
  ['attachment; filename=plain.txt', 'plain.txt'],
  ['attachment; filename="a \\"b\\"; c.txt"', 'a "b"; c.txt'],
  ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
  ['attachment; filename="rates.txt"; filename*=UTF-8\'\'%e2%82%ac%20rates.txt', '€ rates.txt'],
  ['attachment; filename*=UTF-8\'\'%ff; filename="b.txt"', 'b.txt'],
  [Buffer.from('attachment; filename="größe.txt"').toString('latin1'), 'größe.txt'],
  [Buffer.from('attachment; filename="gr\xF6\xDFe.txt"', 'latin1').toString('latin1'), 'größe.txt'],
])('%j names %j', (header, name) => expect(nameInDisposition(header)).toBe(name))
