import { appStartQuery, fieldsQuery } from '../../api/queries.ts'
import { queryClient } from '../../app/query-client.ts'
import type { PageProps } from '../../app/routes.ts'
import { may } from '../../model/collection.ts'
import { columnsOf } from './columns.ts'
import { openingState, stateAt } from './opening.ts'
import { mayReadViews, presetsQuery } from './presets.ts'
import { viewsFor } from './saved-views.ts'
import { openRows } from './use-source.ts'
import { viewerOf } from './use-viewer.ts'

/** The collection that an address names. */
export function nameIn(params: PageProps): string {
  const name = params['collection'] ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Reads fields and views, then begins with the rows: they arrive while the list is drawn for the first time. */
export async function prepare(params: PageProps, search: string): Promise<void> {
  const name = nameIn(params)
  const { me, collections } = await queryClient.ensureQueryData(appStartQuery)
  const collection = collections.find((each) => each.collection === name)
  if (me === null || collection === undefined || collection.singleton === true || !may(collection, 'read')) return
  const [fields, presets] = await Promise.all([
    queryClient.ensureQueryData(fieldsQuery(name)),
    queryClient.ensureQueryData(presetsQuery(name, mayReadViews(collections))),
  ])
  const views = viewsFor(presets, viewerOf(me))
  const { state } = stateAt(search, views, openingState(collection, fields, views))
  // Neither language nor rights change what is asked for, and fields of other collections are not there yet.
  const columns = columnsOf(state.fields, {
    collection,
    collections,
    relations: undefined,
    language: '',
    writable: null,
    fieldsOf: (other) => (other === name ? fields : undefined),
  })
  openRows(collection, columns, state)
}
