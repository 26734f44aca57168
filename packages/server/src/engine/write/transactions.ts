import { ServiceError } from '@tain/contract'
import type { WriteTree } from '../../query/bound-write.ts'
import type { Collection } from '../../schema/schema.ts'

/** The kind of request, which determines how much a rollback has to undo. */
export type Extent = 'single' | 'dry-run' | 'batch' | 'import'

const reasons: Readonly<Record<Exclude<Extent, 'single'> | 'rows', string>> = {
  'dry-run': 'a dry run could not be taken back',
  batch: 'a batch could not be taken back',
  import: 'an import could not be taken back',
  rows: 'a write of several rows could not be taken back',
}

const refused = ({ name }: Collection, what: keyof typeof reasons): ServiceError => {
  const reason = `"${name}" is a table without transactions, where ${reasons[what]}. Write one row at a time`
  return new ServiceError('UNPROCESSABLE_CONTENT', `Can't process content. ${reason}.`, { reason, collection: name })
}

/** Without rollback, a request may write only one row. */
export function checkTransactions(collection: Collection, rows: number, extent: Extent): void {
  if (collection.isTransactional) return
  if (extent !== 'single') throw refused(collection, extent)
  if (rows > 1) throw refused(collection, 'rows')
}

export function checkTree({ nodes, removals }: WriteTree, extent: Extent): void {
  const written = nodes.filter(({ action }) => action !== 'link')
  const rows = written.length + removals.length
  for (const { collection } of written) checkTransactions(collection, rows, extent)
  for (const { list } of removals) checkTransactions(list.collection, rows, extent)
}
