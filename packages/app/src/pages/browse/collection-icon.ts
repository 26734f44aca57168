import type { Collection } from '../../model/collection.ts'
import type { IconName } from '../../ui/icon-names.ts'

export const iconOf = ({ kind }: Pick<Collection, 'kind'>): IconName => (kind === 'view' ? 'eye' : 'table-2')
