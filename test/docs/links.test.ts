import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examplesOf } from './examples.ts'
import { readPage, readPages, root, type Page } from './pages.ts'

interface Link {
  readonly line: number
  readonly target: string
}

const isInBlock = ({ blocks }: Page, line: number) => blocks.some(({ start, end }) => line >= start && line <= end)

const linksOf = (page: Page): Link[] =>
  page.lines.flatMap((text, index) =>
    isInBlock(page, index + 1)
      ? []
      : [...text.matchAll(/\]\(([^)\s]+)\)/gu)]
          .map(([, target = '']) => ({ line: index + 1, target }))
          .filter(({ target }) => !/^[a-z]+:/u.test(target)),
  )

const placeOf = (page: Page, target: string) => {
  const [file = '', anchor] = target.split('#')
  return { file: file === '' ? page.path : normalize(join(dirname(page.path), file)), anchor }
}

/** Why a link leads nowhere, or null. */
function problem(page: Page, { line, target }: Link): string | null {
  const { file, anchor } = placeOf(page, target)
  if (!existsSync(join(root, file))) return `${page.path}:${line}: there is no ${file}`
  if (anchor === undefined || statSync(join(root, file)).isDirectory()) return null
  const isThere = readPage(file).headings.some((heading) => heading.anchor === anchor)
  return isThere ? null : `${page.path}:${line}: ${file} has no section #${anchor}`
}

const pages = [...readPages(), ...['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(readPage)]

test('every relative link leads to a file and a section', () => {
  expect(pages.flatMap((page) => linksOf(page).flatMap((link) => problem(page, link) ?? []))).toEqual([])
})

test('the index lists every page', () => {
  const index = readPage('docs/README.md')
  const listed = new Set(linksOf(index).map(({ target }) => placeOf(index, target).file))
  const missing = readPages()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/') && path !== index.path)
    .filter((path) => !listed.has(path))
  expect(missing).toEqual([])
})

/** Whether the section, with its subsections, has an executable example. */
function hasExample(path: string, anchor: string): boolean {
  const page = readPage(path)
  const at = page.headings.findIndex((heading) => heading.anchor === anchor)
  const heading = page.headings[at]
  if (heading === undefined) return false
  const next = page.headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return examplesOf(page).some(({ block }) => block.start > heading.line && block.start < (next?.line ?? Infinity))
}

describe('the list of tasks', () => {
  const page = readPage('docs/tasks.md')
  const rows = page.lines.filter((line) => /^\| (?!Task|-)/u.test(line))

  test('has at least 25 tasks', () => {
    expect(rows.length).toBeGreaterThanOrEqual(25)
  })

  test.each(rows)('%s', (row) => {
    const [, target = ''] = /\]\(([^)]+)\)/u.exec(row) ?? []
    const { file, anchor = '' } = placeOf(page, target)
    expect({ target, hasExample: hasExample(file, anchor) }).toEqual({ target, hasExample: true })
  })
})
