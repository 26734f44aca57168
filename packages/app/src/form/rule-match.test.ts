import { describe, expect, it } from 'vitest'
import { matches } from './rule-match.ts'

const values = {
  status: 'open',
  total: '10.50',
  count: 3,
  note: null,
  tags: [],
  customer: { name: 'Ada' },
  flag: false,
}

describe('a rule on the values of a form', () => {
  it.each([
    [{ status: { _eq: 'open' } }, true],
    [{ status: { _neq: 'open' } }, false],
    [{ total: { _gt: '9' } }, true],
    [{ total: { _lt: '9' } }, false],
    [{ total: { _eq: 10.5 } }, true],
    [{ count: { _between: [1, 3] } }, true],
    [{ count: { _nbetween: [1, 3] } }, false],
    [{ count: { _in: ['3', '4'] } }, true],
    [{ count: { _nin: [] } }, true],
    [{ note: { _null: true } }, true],
    [{ note: { _nnull: true } }, false],
    [{ note: { _null: false } }, false],
    [{ note: { _eq: null } }, true],
    [{ note: { _gt: 0 } }, false],
    [{ tags: { _empty: true } }, true],
    [{ flag: { _eq: false } }, true],
    [{ status: { _icontains: 'PE' } }, true],
    [{ status: { _nstarts_with: 'o' } }, false],
    [{ customer: { name: { _ends_with: 'da' } } }, true],
    [{ _and: [{ status: { _eq: 'open' } }, { count: { _eq: 4 } }] }, false],
    [{ _or: [{ status: { _eq: 'x' } }, { count: { _eq: 3 } }] }, true],
    [{}, true],
  ])('%j: %s', (rule, expected) => {
    expect(matches(rule, values)).toBe(expected)
  })

  it('stays open where related rows are not loaded', () => {
    const rule = { region: { name: { _eq: 'North' } } }
    expect(matches(rule, { region: 4 })).toBeNull()
    expect(matches({ _or: [rule, { region: { _eq: 4 } }] }, { region: 4 })).toBe(true)
    expect(matches({ _and: [rule, { region: { _eq: 5 } }] }, { region: 4 })).toBe(false)
  })

  it('stays open where only the database can compare', () => {
    expect(matches({ doc: { _json: { a: { _eq: 1 } } } }, { doc: { a: 1 } })).toBeNull()
    expect(matches({ 'year(at)': { _eq: 2026 } }, { at: '2026-01-01' })).toBeNull()
    expect(matches({ at: { _unheard_of: 1 } }, { at: 1 })).toBeNull()
  })

  it('knows the current user', () => {
    expect(matches({ owner: { _eq: '$CURRENT_USER' } }, { owner: 'u1' }, { $CURRENT_USER: 'u1' })).toBe(true)
  })
})
