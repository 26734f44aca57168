import { expect, test } from 'vitest'
import { namedViews, openingView, ownersOf, presetOf, stateOf, viewsFor, type Preset } from './saved-views.ts'
import type { ViewState } from './view-state.ts'

const opening: ViewState = {
  filter: null,
  search: '',
  sort: ['-id'],
  fields: [{ path: 'id', width: null }],
  rows: 'normal',
  group: null,
}
const preset = (part: Partial<Preset>): Preset => ({
  id: 1,
  bookmark: null,
  user: null,
  role: null,
  collection: 'orders',
  search: null,
  layout: null,
  layout_query: null,
  layout_options: null,
  filter: null,
  ...part,
})

test('a view is kept and read again as it was', () => {
  const state: ViewState = {
    filter: { status: { _eq: 'open' } },
    search: 'blue',
    sort: ['name'],
    fields: [
      { path: 'id', width: 80 },
      { path: 'customer.name', width: null },
    ],
    rows: 'roomy',
    group: 'status',
  }
  expect(stateOf(preset(presetOf(state)), opening)).toEqual(state)
})

test('a preset that says nothing looks as the collection does', () => {
  expect(stateOf(preset({}), opening)).toEqual(opening)
})

test('options of other layouts stay in the preset', () => {
  const kept = preset({ layout_options: { kanban: { group: 'status' }, tabular: { align: { id: 'left' } } } })
  expect(presetOf(opening, kept).layout_options).toEqual({
    kanban: { group: 'status' },
    tabular: { align: { id: 'left' }, widths: {}, spacing: 'cozy' },
  })
})

test('views without a name are the opening look, the own one first', () => {
  const presets = [
    preset({ id: 1 }),
    preset({ id: 2, user: 'me' }),
    preset({ id: 3, bookmark: 'Open', user: 'me' }),
    preset({ id: 4, bookmark: 'All open' }),
  ]
  expect(openingView(presets)?.id).toBe(2)
  expect(namedViews(presets).map(({ id }) => id)).toEqual([4, 3])
})

test('who sees a view is said by its owners', () => {
  const viewer = { id: 'me', role: 'editors' }
  expect(ownersOf('mine', viewer)).toEqual({ user: 'me', role: null })
  expect(ownersOf('role', viewer)).toEqual({ user: null, role: 'editors' })
  expect(ownersOf('all', viewer)).toEqual({ user: null, role: null })
})

test('views of other people and roles are not offered', () => {
  const presets = [
    preset({ id: 1, user: 'me' }),
    preset({ id: 2, user: 'you' }),
    preset({ id: 3, role: 'editors' }),
    preset({ id: 4, role: 'others' }),
    preset({ id: 5 }),
  ]
  expect(viewsFor(presets, { id: 'me', role: 'editors' }).map(({ id }) => id)).toEqual([1, 3, 5])
  expect(viewsFor(presets, { id: 'me', role: null }).map(({ id }) => id)).toEqual([1, 5])
})
