import { expect, test } from 'vitest'
import { sidebar } from '../../site/.vitepress/sidebar.ts'
import { readPages } from './pages.ts'

/** Reached from other pages: the list of pages, and single decisions. */
const isLinked = (path: string) => path === 'docs/README.md' || path.startsWith('docs/decisions/')

test('the site lists every page of the documentation once', () => {
  const pages = readPages()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && !isLinked(path))
  const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`))
  expect(listed.toSorted()).toEqual(pages.toSorted())
})
