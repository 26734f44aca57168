import { expect, test } from 'vitest'
import { unexpectedFiles } from './contents.ts'

test('a package contains its build, its program and its licence', () => {
  const paths = ['package.json', 'README.md', 'LICENSE', 'NOTICE', 'bin/tain.js', 'dist/main.js', 'dist/a/b.js']
  expect(unexpectedFiles(paths, false)).toEqual([])
})

test('the server contains the admin app', () => {
  const names = ['index.html', 'begin.js', 'assets/index-3fK2.js.br', 'assets/index-3fK2.js.gz', 'assets/inter-1.woff2']
  const paths = names.map((name) => `dist/app/${name}`)
  expect(unexpectedFiles(paths, false)).toEqual([])
  expect(unexpectedFiles(paths.slice(0, 1), true)).toEqual(['dist/app/index.html'])
})

test('the server contains the page that explains the API', () => {
  const paths = ['page.html', 'page.css', 'page.js'].map((name) => `dist/reference/${name}`)
  expect(unexpectedFiles(paths, false)).toEqual([])
  expect(unexpectedFiles(paths.slice(0, 1), true)).toEqual(['dist/reference/page.html'])
})

test.each([
  'src/main.ts',
  'src/main.js',
  'dist/main.ts',
  'dist/main.js.map',
  'dist/main.css',
  'dist/reference/other.html',
  'dist/app/assets/index-3fK2.js.map',
  'dist/app/assets/index-3fK2.ts',
  'dist/app/.vite/manifest.json',
  'dist/main.test.js',
  'dist/main.d.ts',
  'dist/testing.js',
  'dist/app/assets/gallery-page-3fK2.js.br',
  'dist/.tsbuildinfo',
  'bin/.cache/main.js',
  '.cache/v24/main.js',
  'tsconfig.build.json',
])('%s does not belong into a package without public modules', (path) => {
  expect(unexpectedFiles([path], false)).toEqual([path])
})

test('declarations belong into a package with public modules', () => {
  expect(unexpectedFiles(['dist/index.d.ts'], true)).toEqual([])
})
