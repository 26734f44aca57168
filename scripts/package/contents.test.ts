import { expect, test } from 'vitest'
import { unexpectedFiles } from './contents.ts'

test('a package contains its build, its program and its licence', () => {
  const paths = ['package.json', 'README.md', 'LICENSE', 'NOTICE', 'bin/tain.js', 'dist/main.js', 'dist/a/b.js']
  expect(unexpectedFiles(paths, false)).toEqual([])
})

test.each([
  'src/main.ts',
  'src/main.js',
  'dist/main.ts',
  'dist/main.js.map',
  'dist/main.test.js',
  'dist/main.d.ts',
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
