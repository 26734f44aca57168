import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { browseRoute } from '../../model/key.ts'
import { openingState, stateAt } from './opening.ts'
import type { Preset } from './saved-views.ts'
import { isSameView, writeAddress, type ViewState } from './view-state.ts'

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
  const opening = useMemo(() => openingState(collection, fields, presets), [collection, fields, presets])
  const { preset, saved, state } = useMemo(() => stateAt(search, presets, opening), [search, presets, opening])
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
