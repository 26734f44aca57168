import { expect, test } from 'vitest'
import { mailOf } from './templates.ts'

const kinds = ['reset', 'invite', 'verification'] as const

test.each(kinds)('%s: what comes from outside is text in HTML and one line in the subject', (kind) => {
  const link = 'https://example.com/?a=1&token="><script>'
  const { subject, html, text } = mailOf(kind, 'a@example.com', '<b>A & B</b>\r\nBcc: x@example.com', link)
  expect(subject).toContain('<b>A & B</b> Bcc: x@example.com')
  expect(subject).not.toMatch(/[\r\n]/u)
  expect(html).toContain('&lt;b&gt;A &amp; B&lt;/b&gt;')
  expect(html).toContain('href="https://example.com/?a=1&amp;token=&quot;&gt;&lt;script&gt;"')
  expect(html).not.toContain('<script')
  expect(text).toContain(link)
})
