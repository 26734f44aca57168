import { describe, expect, test } from 'vitest'
import { foreignKey, library, mirrorOf, table } from '../testing/schema.ts'
import { bindQuery } from './bind.ts'
import type { BoundFilter } from './bound.ts'
import { checkCost, checkRuleCost, createSpend, type CostLimits } from './cost.ts'
import { parseQuery } from './parse-query.ts'
import { everything } from './resolve.ts'

/** Default values of the settings. */
const defaults: CostLimits = {
  entries: 2000,
  conditions: 1000,
  values: 50_000,
  nodes: 5000,
  joins: 1000,
  rows: 10_000_000_000,
}

function check(wire: Record<string, unknown>, more: Partial<CostLimits> = {}, schema = library, name = 'articles') {
  const cost = { ...defaults, ...more }
  const limits = { depth: 10, jsonDepth: 10, listLength: 10_000, limitDefault: 100, limitMax: null, cost }
  const { query } = parseQuery(wire, limits)
  const bound = bindQuery(query, name, schema, 100, false, everything, createSpend(cost))
  checkCost(bound, cost, false)
  return bound
}

type Counted = [what: string, wire: Record<string, unknown>, kind: keyof CostLimits, amount: number, name?: string]

const columns = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`column_${index}`, 'text']))
const references = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`reference_${index}`, 'int4']))
const wide = mirrorOf([
  table(
    'wide',
    { id: 'int4', ...columns, ...references },
    { foreignKeys: Object.keys(references).map((name) => foreignKey(name, 'wide')) },
  ),
])

describe('what a query may cost', () => {
  test('wildcards of wide tables fit the defaults over one relation', () => {
    expect(check({ fields: '*.*' }, {}, wide, 'wide').select).toHaveLength(101)
    expect(() => check({ fields: '*.*.*' }, {}, wide, 'wide')).toThrow('MAX_QUERY_NODES')
  })

  test.each([
    ['relations in fields', { fields: 'author.name,comments.id' }, 'joins', 2],
    ['relations in filters', { fields: 'id', filter: { author: { articles: { id: 1 } } } }, 'joins', 2],
    ['relations in sort', { fields: 'id', sort: 'author.name,-comments.id' }, 'joins', 2],
    ['relations in deep', { fields: 'comments.id', deep: { comments: { _sort: 'article.id' } } }, 'joins', 2],
    ['counts', { fields: 'count(comments)', filter: { 'count(comments)': { _gt: 1 } } }, 'joins', 2],
    ['a junction', { fields: 'courses.id' }, 'joins', 2, 'students'],
    ['conditions', { filter: { _or: [{ id: { _gt: 1, _lt: 9 } }, { title: 'x' }] } }, 'conditions', 3],
    ['values in lists', { filter: { _or: [{ id: { _in: [1, 2] } }, { id: { _nin: '3,4,5' } }] } }, 'values', 5],
    ['conditions on JSON', { filter: { document: { _json: { a: 1, b: { _gt: 2, _lt: 3 } } } } }, 'conditions', 3],
    ['entries', { fields: 'id,title', sort: ['id', '-title'], alias: { a: 'id' } }, 'entries', 5],
    ['rows times fields', { fields: 'id,comments.id', limit: 10, deep: { comments: { _limit: 5 } } }, 'rows', 70],
    ['lists without a limit', { fields: 'id', limit: -1 }, 'rows', 1000],
  ] satisfies Counted[])('counts %s', (...[, wire, kind, amount, name = 'articles']: Counted) => {
    expect(check(wire, { [kind]: amount }, library, name)).toBeDefined()
    expect(() => check(wire, { [kind]: amount - 1 }, library, name)).toThrow(`MAX_QUERY_${kind.toUpperCase()}`)
  })

  test('counts a rule wherever it stands, in time that does not grow with that', () => {
    const bound = check({ fields: 'id,title' })
    let rule: BoundFilter = { kind: 'constant', value: true }
    // Each level contains the previous one twice: 2^40 conditions in forty objects.
    for (let level = 0; level < 40; level += 1) rule = { kind: 'and', parts: [rule, rule] }
    expect(() => checkRuleCost({ ...bound, filter: rule }, defaults)).toThrow('MAX_QUERY_CONDITIONS')
  })

  test('permissions may add to what the caller wrote', () => {
    const bound = check({ filter: { _or: Array.from({ length: 1000 }, (_, id) => ({ id })) } })
    const rule: BoundFilter = { kind: 'constant', value: true }
    const masked = { ...bound, filter: { kind: 'and', parts: [bound.filter ?? rule, rule] } } as const
    expect(() => checkRuleCost(masked, defaults)).not.toThrow()
  })
})
