import { describe, expect, test } from 'vitest'
import { library } from '../testing/schema.ts'
import { bindFilter } from '../query/bind-filter.ts'
import type { BoundFilter } from '../query/bound.ts'
import { parseFilter } from '../query/parse-filter.ts'
import { everything } from '../query/resolve.ts'
import { ruleConstants } from '../query/values.ts'
import { anonymous, type Actor } from './actor.ts'
import { simplify, UnusableRule } from './simplify-rule.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100 }
const yes = { kind: 'constant', value: true }
const no = { kind: 'constant', value: false }

function bound(rule: object): BoundFilter {
  const articles = library.collections.get('articles')
  const filter = parseFilter(rule, ruleConstants, limits)
  if (articles === undefined || filter === null) throw new Error('nothing to bind')
  return bindFilter(filter, articles, { schema: library, visibility: everything, at: 'root', limitDefault: 0 })
}

const settled = (rule: object, actor: Partial<Actor> = {}, fits = true) =>
  simplify(bound(rule), { ...anonymous, ...actor }, () => fits)

describe('a condition whose variable stands for nothing', () => {
  test.each([
    { title: { _eq: '$CURRENT_USER' } },
    { title: { _neq: '$CURRENT_USER' } },
    { title: { _in: ['$CURRENT_USER', '$CURRENT_ROLES'] } },
    { title: { _nin: ['a', '$CURRENT_ROLE'] } },
    { title: { _eq: '$CURRENT_USER.title' } },
    { _and: [{ status: { _eq: 'a' } }, { title: { _eq: '$CURRENT_USER' } }] },
  ])('makes the rule false: %j', (rule) => {
    expect(settled(rule)).toEqual(no)
  })

  test('leaves other ways to meet the rule', () => {
    const other = { status: { _eq: 'a' } }
    expect(settled({ _or: [other, { title: { _eq: '$CURRENT_USER' } }] })).toEqual(bound(other))
  })

  test('is left out of _in while other values remain', () => {
    const rule = { title: { _in: ['a', '$CURRENT_USER'] } }
    expect(settled(rule)).toEqual(bound(rule))
  })

  test.each([{ body: { _eq: '$CURRENT_USER' } }, { body: { _in: ['a', '$CURRENT_USER'] } }])(
    'counts as met inside _none: %j',
    (inner) => {
      expect(settled({ comments: { _none: inner } })).toMatchObject({ kind: 'many', quantifier: 'none', filter: yes })
    },
  )

  test('is one with a list of which a value is missing', () => {
    const rule = { title: { _nin: ['$CURRENT_ROLES.name'] } }
    const paths = (...names: readonly (string | null)[]) => ({ paths: new Map([['$CURRENT_ROLES.name', names]]) })
    expect(settled(rule, paths('a', null))).toEqual(no)
    expect(settled(rule, paths('a', 'b'))).toEqual(bound(rule))
  })
})

test('a value that cannot be compared makes the rule unusable', () => {
  expect(() => settled({ views: { _eq: 'many' } }, {}, false)).toThrow(UnusableRule)
})
