import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { browseRoute } from '../../model/key.ts'
import { openingFields, openingSort } from './columns.ts'
import { namedViews, openingView, stateOf, type Preset } from './saved-views.ts'
import { isSameView, readAddress, writeAddress, type ViewState } from './view-state.ts'

export interface View {
  readonly state: ViewState
  /** The saved view that is open; undefined: the opening look. */
  readonly preset: Preset | undefined
  readonly isChanged: boolean
  /** Shows something else. It is a step in the history of the browser, unless it only continues the last one. */
  readonly change: (part: Partial<ViewState>, options?: { readonly isContinued?: boolean }) => void
  /** Shows the saved view as it was. */
  readonly reset: () => void
  /** The route of a saved view; null: of the opening look. */
  readonly routeOf: (preset: number | null) => string
  readonly go: (route: string) => void
}

/** The view in the address, over the saved view that it names. */
export function useView(collection: Collection, fields: readonly Field[], presets: readonly Preset[]): View {
  const search = useSearch()
  const [, navigate] = useLocation()
  const opening = useMemo(() => {
    const plain: ViewState = {
      filter: null,
      search: '',
      sort: openingSort(collection, fields),
      fields: openingFields(fields),
      rows: 'normal',
    }
    const preset = openingView(presets)
    return preset === undefined ? plain : stateOf(preset, plain)
  }, [collection, fields, presets])
  const { preset, saved, state } = useMemo(() => {
    const { view, changes } = readAddress(search)
    const named = namedViews(presets).find(({ id }) => String(id) === view)
    const base = named === undefined ? opening : stateOf(named, opening)
    return { preset: named, saved: base, state: { ...base, ...changes } }
  }, [search, presets, opening])
  const route = browseRoute(collection.collection)
  const id = preset === undefined ? null : String(preset.id)
  const at = (text: string): string => (text === '' ? route : `${route}?${text}`)
  return {
    state,
    preset,
    isChanged: !isSameView(state, saved),
    change: (part, { isContinued = false } = {}) =>
      navigate(at(writeAddress(id, { ...state, ...part }, saved)), { replace: isContinued }),
    reset: () => navigate(at(writeAddress(id, saved, saved))),
    routeOf: (named) => (named === null ? route : `${route}?view=${named}`),
    go: (to) => navigate(to),
  }
}
