import { rowHeightNames, type RowHeight } from '../../app/row-height.ts'
import type { Filter } from '../../filter/tree.ts'
import { isObject } from '../../filter/tree.ts'
import type { ViewState } from './view-state.ts'

/** A view as the API keeps it. Without a bookmark it is the look in which a collection opens. */
export interface Preset {
  readonly id: number
  readonly bookmark: string | null
  readonly user: string | null
  readonly role: string | null
  readonly collection: string | null
  readonly search: string | null
  readonly layout: string | null
  readonly layout_query: unknown
  readonly layout_options: unknown
  readonly filter: unknown
}

export const audiences = ['mine', 'role', 'all'] as const
/** Who sees a saved view. */
export type Audience = (typeof audiences)[number]

export const audienceOf = ({ user, role }: Pick<Preset, 'user' | 'role'>): Audience => {
  if (user !== null) return 'mine'
  return role === null ? 'all' : 'role'
}

export interface Viewer {
  readonly id: string
  readonly role: string | null
}

/** Columns of the preset that say who sees it. */
export const ownersOf = (audience: Audience, viewer: Viewer): Pick<Preset, 'user' | 'role'> => {
  const owners: Readonly<Record<Audience, Pick<Preset, 'user' | 'role'>>> = {
    mine: { user: viewer.id, role: null },
    role: { user: null, role: viewer.role },
    all: { user: null, role: null },
  }
  return owners[audience]
}

/** The views that are meant for somebody. Administrators read those of others too, but do not work with them. */
export const viewsFor = (presets: readonly Preset[], viewer: Viewer | null): readonly Preset[] =>
  presets.filter(({ user, role }) => (user === null ? role === null || role === viewer?.role : user === viewer?.id))

/** The views with a name, those for all first. */
export const namedViews = (presets: readonly Preset[]): readonly Preset[] =>
  presets
    .filter(({ bookmark }) => bookmark !== null)
    .toSorted((a, b) => audiences.indexOf(audienceOf(b)) - audiences.indexOf(audienceOf(a)) || a.id - b.id)

/** The look in which a collection opens: the viewer's own before their role's before everybody's. */
export const openingView = (presets: readonly Preset[]): Preset | undefined =>
  presets
    .filter(({ bookmark }) => bookmark === null)
    .toSorted((a, b) => audiences.indexOf(audienceOf(a)) - audiences.indexOf(audienceOf(b)))[0]

/** How row heights are called in presets. */
const spacings: Readonly<Record<RowHeight, string>> = { compact: 'compact', normal: 'cozy', roomy: 'comfortable' }

/** What a preset shows. Anything that it does not say is as in `opening`. */
export function stateOf(preset: Preset, opening: ViewState): ViewState {
  const query = tabular(preset.layout_query)
  const options = tabular(preset.layout_options)
  const widths = isObject(options['widths']) ? options['widths'] : {}
  const paths = strings(query['fields'])
  const rows = rowHeightNames.find((each) => spacings[each] === options['spacing'])
  return {
    filter: isObject(preset.filter) && Object.keys(preset.filter).length > 0 ? preset.filter : null,
    search: preset.search ?? '',
    sort: strings(query['sort']) ?? opening.sort,
    fields:
      paths === null
        ? opening.fields
        : paths.map((path) => ({ path, width: typeof widths[path] === 'number' ? widths[path] : null })),
    rows: rows ?? opening.rows,
    group: typeof options['group'] === 'string' ? options['group'] : null,
  }
}

/** A view as the API keeps it; parts of the preset that the app does not know are kept. */
export function presetOf(state: ViewState, preset?: Preset) {
  const widths = state.fields.filter(({ width }) => width !== null).map(({ path, width }) => [path, width] as const)
  return {
    layout: 'tabular',
    search: state.search === '' ? null : state.search,
    filter: state.filter,
    layout_query: {
      ...object(preset?.layout_query),
      tabular: {
        ...tabular(preset?.layout_query),
        sort: state.sort,
        fields: state.fields.map(({ path }) => path),
      },
    },
    layout_options: {
      ...object(preset?.layout_options),
      tabular: {
        ...tabular(preset?.layout_options),
        widths: Object.fromEntries(widths),
        spacing: spacings[state.rows],
        // undefined is not sent: a view without groups keeps none of an earlier one
        group: state.group ?? undefined,
      },
    },
  }
}

const object = (value: unknown): Filter => (isObject(value) ? value : {})
const tabular = (value: unknown): Filter => object(object(value)['tabular'])

const strings = (value: unknown): readonly string[] | null => {
  if (!Array.isArray(value)) return null
  const found = value.filter((each): each is string => typeof each === 'string')
  return found.length === value.length ? found : null
}
