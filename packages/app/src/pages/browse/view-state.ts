import { rowHeights, type RowHeight } from '../../app/row-height.ts'
import type { Filter } from '../../filter/tree.ts'
import { isObject } from '../../filter/tree.ts'

/** A column of a view; without a width it has that of its kind. */
export interface ShownField {
  readonly path: string
  readonly width: number | null
}

/** Everything that decides what a list shows. */
export interface ViewState {
  readonly filter: Filter | null
  readonly search: string
  /** Paths, with a minus in front: downwards. */
  readonly sort: readonly string[]
  readonly fields: readonly ShownField[]
  readonly rows: RowHeight
  /** The field whose values head groups of rows; null: the rows are not grouped. */
  readonly group: string | null
}

/** What an address says: the saved view, and where the list differs from it. */
export interface Address {
  readonly view: string | null
  readonly changes: Partial<ViewState>
}

interface Part<T> {
  readonly read: (text: string) => T | undefined
  readonly write: (value: T) => string
}

const filterPart: Part<Filter | null> = {
  read: (text) => {
    if (text === '') return null
    const value = parsedJson(text)
    return isObject(value) ? value : undefined
  },
  write: (filter) => (filter === null ? '' : JSON.stringify(filter)),
}

const fieldsPart: Part<readonly ShownField[]> = {
  read: (text) => {
    const fields = listed(text).flatMap((each) => {
      const [path = '', width] = each.split(':')
      const pixels = Number(width)
      return path === ''
        ? []
        : [{ path: decodeURIComponent(path), width: Number.isInteger(pixels) && pixels > 0 ? pixels : null }]
    })
    return fields.length === 0 ? undefined : fields
  },
  write: (fields) => fields.map(({ path, width }) => `${escaped(path)}${width === null ? '' : `:${width}`}`).join(','),
}

const parts: { readonly [N in keyof ViewState]: Part<ViewState[N]> } = {
  filter: filterPart,
  search: { read: (text) => text, write: (search) => search },
  sort: {
    read: (text) => listed(text).map(decodeURIComponent),
    write: (sort) => sort.map(escaped).join(','),
  },
  fields: fieldsPart,
  rows: {
    read: (text) => (Object.hasOwn(rowHeights, text) ? (text as RowHeight) : undefined),
    write: (rows) => rows,
  },
  group: { read: (text) => (text === '' ? null : text), write: (group) => group ?? '' },
}

const names = Object.keys(parts) as readonly (keyof ViewState)[]

/** Reads the search string of an address. What it cannot read is left out, so that an old link still opens. */
export function readAddress(search: string): Address {
  const params = new URLSearchParams(search)
  const changes: Partial<ViewState> = Object.assign(
    {},
    ...names.map((name) => {
      const text = params.get(name)
      const value = text === null ? undefined : parts[name].read(text)
      return value === undefined ? {} : { [name]: value }
    }),
  )
  return { view: params.get('view'), changes }
}

/** The search string of a view that differs from a saved one; only the differences are written. */
export function writeAddress(view: string | null, state: ViewState, saved: ViewState): string {
  const params = new URLSearchParams()
  if (view !== null) params.set('view', view)
  for (const name of names) {
    const text = written(name, state)
    if (text !== written(name, saved)) params.set(name, text)
  }
  return params.toString()
}

/** Whether two views show the same. */
export const isSameView = (a: ViewState, b: ViewState): boolean =>
  names.every((name) => written(name, a) === written(name, b))

/** Whether another view has other rows or another order, so that it starts at the first row. */
export const hasSameRows = (a: ViewState, b: ViewState): boolean =>
  (['filter', 'search', 'sort'] as const).every((name) => written(name, a) === written(name, b))

function written(name: keyof ViewState, state: ViewState): string {
  const texts: { readonly [N in keyof ViewState]: () => string } = {
    filter: () => parts.filter.write(state.filter),
    search: () => parts.search.write(state.search),
    sort: () => parts.sort.write(state.sort),
    fields: () => parts.fields.write(state.fields),
    rows: () => parts.rows.write(state.rows),
    group: () => parts.group.write(state.group),
  }
  return texts[name]()
}

/** Sorting by a click on a header: upwards, downwards, not at all; with others when it is added. */
export function sortedBy(sort: readonly string[], path: string, isAdded: boolean): readonly string[] {
  const others = isAdded ? sort.filter((each) => each !== path && each !== `-${path}`) : []
  if (sort.includes(path)) return isAdded ? sort.map((each) => (each === path ? `-${path}` : each)) : [`-${path}`]
  if (sort.includes(`-${path}`)) return others
  return [...others, path]
}

function listed(text: string): readonly string[] {
  return text.split(',').filter((each) => each !== '')
}

const escaped = (path: string): string => path.replaceAll(/[%,:]/gu, (sign) => encodeURIComponent(sign))

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
