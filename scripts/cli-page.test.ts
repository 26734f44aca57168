import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cliPage, page } from './cli-page.ts'

test('docs/cli.md is current; "npm run docs:cli" writes it', () => {
  expect(readFileSync(page, 'utf8')).toBe(cliPage())
})

test('the page has a section for every command, with its operands, options and examples', () => {
  const text = cliPage({
    'plant tree': {
      summary: 'plant a tree',
      operands: [{ name: '<kind>', what: 'the kind of tree' }],
      options: [{ flags: '--depth <cm>', what: 'oak|elm' }],
      settings: 'none',
      examples: ['tain plant tree oak --depth 40'],
      load: () => Promise.reject(new Error('not run')),
    },
  })
  expect(text).toContain('| [`tain plant tree <kind>`](#tain-plant-tree) | plant a tree |')
  expect(text).toContain('## tain plant tree\n\nPlant a tree.\n')
  expect(text).toContain('| `<kind>` | the kind of tree |\n| `--depth <cm>` | oak\\|elm |')
  expect(text).toContain('```sh\ntain plant tree oak --depth 40\n```')
})
