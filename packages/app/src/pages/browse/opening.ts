import { chosenRowHeight } from '../../app/row-height.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { openingFields, openingSort } from './columns.ts'
import { namedViews, openingView, stateOf, type Preset } from './saved-views.ts'
import { readAddress, type ViewState } from './view-state.ts'

/** The look of a list at an address that says nothing about it. */
export function openingState(collection: Collection, fields: readonly Field[], presets: readonly Preset[]): ViewState {
  const plain: ViewState = {
    filter: null,
    search: '',
    sort: openingSort(collection, fields),
    fields: openingFields(fields),
    rows: chosenRowHeight(),
    group: null,
  }
  const preset = openingView(presets)
  return preset === undefined ? plain : stateOf(preset, plain)
}

export interface ViewAt {
  /** The saved view that the address names. */
  readonly preset: Preset | undefined
  readonly saved: ViewState
  readonly state: ViewState
}

/** What an address shows: the saved view that it names, and what it changes in it. */
export function stateAt(search: string, presets: readonly Preset[], opening: ViewState): ViewAt {
  const { view, changes } = readAddress(search)
  const preset = namedViews(presets).find(({ id }) => String(id) === view)
  const saved = preset === undefined ? opening : stateOf(preset, opening)
  return { preset, saved, state: { ...saved, ...changes } }
}
