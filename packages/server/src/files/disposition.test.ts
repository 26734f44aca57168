import { describe, expect, test } from 'vitest'
import { dispositionOf, isShown } from './disposition.ts'

test.each([
  'image/png',
  'image/jpeg',
  'application/pdf',
  'text/plain',
  'text/plain; charset=utf-8',
  'audio/mpeg',
  'video/mp4',
  'text/csv',
  'application/json',
])('%s is shown', (type) => expect(isShown(type)).toBe(true))

test.each([
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'IMAGE/SVG+XML',
  'application/xml',
  'text/xml',
  'application/rss+xml',
  'text/javascript',
  'application/javascript',
  'text/css',
  'application/wasm',
  'application/x-shockwave-flash',
  'application/octet-stream',
  'text/plain/html',
  'image/png, text/html',
  '',
  null,
])('%s is saved', (type) => expect(isShown(type)).toBe(false))

describe('the name in the header', () => {
  test.each([
    ['report.pdf', 'inline; filename="report.pdf"'],
    ['a "b" \\c.txt', 'inline; filename="a \\"b\\" \\\\c.txt"'],
    ['café.txt', `inline; filename="caf_.txt"; filename*=UTF-8''caf%C3%A9.txt`],
    ["it's (1)*文.txt", `inline; filename="it's (1)*_.txt"; filename*=UTF-8''it%27s%20%281%29%2A%E6%96%87.txt`],
    ['half \uD83D.txt', `inline; filename="half _.txt"; filename*=UTF-8''half%20%EF%BF%BD.txt`],
  ])('of %j', (name, header) => expect(dispositionOf('inline', name)).toBe(header))

  test('is left out where it may not be read', () => expect(dispositionOf('attachment', null)).toBe('attachment'))
})
