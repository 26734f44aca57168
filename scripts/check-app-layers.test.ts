import { expect, test } from 'vitest'
import { checkAppSources, type AppTable } from './check-app-layers.ts'

const table: AppTable = {
  lineLimit: 3,
  layers: { ui: [], api: ['ui'], pages: ['api', 'ui'] },
  fetch: ['api'],
}

const check = (sources: Readonly<Record<string, string>>) =>
  checkAppSources(new Map(Object.entries(sources)), table).map(({ path, message }) => `${path}: ${message}`)

test('a folder imports only what its row names', () => {
  expect(check({ 'ui/a.tsx': "import { b } from '../api/b.ts'\n", 'api/b.ts': "import '../ui/c.ts'\n" })).toEqual([
    'ui/a.tsx: ui must not import api (api/b.ts)',
  ])
})

test('a folder without a row is refused', () => {
  expect(check({ 'new/a.ts': '' })).toEqual(["new/a.ts: 'new' has no row in packages/app/layers.json"])
})

test('pages import their own area and no other', () => {
  const own = { 'pages/item/a.tsx': "import { b } from './b.tsx'\n", 'pages/item/b.tsx': '' }
  expect(check(own)).toEqual([])
  expect(check({ 'pages/item/a.tsx': "import {\n  b,\n} from '../browse/b.tsx'\n" })).toEqual([
    'pages/item/a.tsx: pages must not import each other (pages/browse/b.tsx)',
  ])
})

test('only one folder sends requests', () => {
  expect(check({ 'api/a.ts': 'fetch(url)\n', 'ui/b.ts': 'fetch(url)\n' })).toEqual(['ui/b.ts: only api sends requests'])
})

test('files have a limit, and none needs itself', () => {
  expect(check({ 'ui/a.ts': "import './b.ts'\n", 'ui/b.ts': "import './a.ts'\n" })).toEqual([
    'ui/a.ts: import cycle: ui/a.ts → ui/b.ts → ui/a.ts',
  ])
  expect(check({ 'ui/a.ts': '\n\n\n\n' })).toEqual(['ui/a.ts: 4 lines, the limit is 3'])
})

test('what is loaded later is no import', () => {
  expect(check({ 'ui/a.ts': "const load = () => import('../pages/item/a.tsx')\n" })).toEqual([])
})
