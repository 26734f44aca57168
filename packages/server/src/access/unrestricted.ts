import type { Authorized } from './authorized.ts'
import type { BoundFilter, BoundQuery, BoundToMany, BoundValue } from '../query/bound.ts'

/**
 * Whether no rule limits which rows a list has and what its filter and its search see. Only then may figures about whole
 * tables tell something about the list.
 */
export const isUnrestricted = ({ rowRule, filter, search }: Authorized<BoundQuery>): boolean =>
  rowRule === null &&
  (filter === null || seesAll(filter)) &&
  (search === null || search.fields.every(({ mask }) => mask === null))

function seesAll(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'constant':
      return true
    case 'and':
    case 'or':
      return filter.parts.every(seesAll)
    case 'test':
      return seesValue(filter.value)
    case 'json':
      return filter.mask === null
    case 'one':
      return filter.mask === null && filter.relation.seen === null && seesAll(filter.filter)
    case 'many':
      return filter.mask === null && seesMany(filter.relation) && seesAll(filter.filter)
    case 'any':
      return filter.mask === null && filter.relation.seen.size === 0 && seesAll(filter.filter)
  }
}

const seesMany = (relation: BoundToMany): boolean =>
  relation.seen === null && (relation.kind !== 'through' || relation.junctionSeen === null)

const seesValue = (value: BoundValue): boolean =>
  value.mask === null && (value.kind !== 'count' || seesMany(value.relation))
