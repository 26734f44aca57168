import { describe, expect, it } from 'vitest'
import type { Field, FieldColumn, FieldMeta } from '../model/field.ts'
import { checkDraft } from './check.ts'
import { change, emptyDraft } from './draft.ts'

const column = { is_nullable: false, default_value: null, has_auto_increment: false, is_generated: false }
const field = (name: string, schema: Partial<FieldColumn> | null, meta: FieldMeta | null = null) => ({
  field: { collection: 'c', field: name, type: 'string', schema: schema as FieldColumn | null, meta } satisfies Field,
  relation: null,
  children: [],
})

describe('a new row', () => {
  it('needs a value for a column that has none by itself', () => {
    const fields = [field('name', column), field('id', { ...column, has_auto_increment: true })]
    expect([...checkDraft(fields, emptyDraft({}), true, {}).keys()]).toEqual(['name'])
  })

  it('needs no value where the database has a default', () => {
    const fields = [
      field('state', { ...column, default_value: 'new' }),
      field('at', { ...column, default_value: 'now()' }),
    ]
    expect(checkDraft(fields, emptyDraft({}), true, {}).size).toBe(0)
  })

  it('needs what a condition requires', () => {
    const conditions = [{ rule: { kind: { _eq: 'b' } }, required: true }]
    const fields = [field('reason', { is_nullable: true }, { conditions })]
    expect(checkDraft(fields, emptyDraft({ kind: 'a' }), true, {}).size).toBe(0)
    expect(checkDraft(fields, emptyDraft({ kind: 'b' }), true, {}).size).toBe(1)
  })
})

describe('a changed row', () => {
  it('is checked only where it was changed', () => {
    const fields = [field('name', column), field('note', column)]
    const draft = change(emptyDraft({ name: 'a', note: null }), 'name', null)
    expect([...checkDraft(fields, draft, false, {}).keys()]).toEqual(['name'])
  })

  it('is checked where a condition asks for a value now', () => {
    const conditions = [{ rule: { kind: { _eq: 'b' } }, required: true }]
    const fields = [field('reason', { is_nullable: true }, { conditions })]
    const draft = change(emptyDraft({ kind: 'a', reason: null }), 'kind', 'b')
    expect([...checkDraft(fields, draft, false, {}).keys()]).toEqual(['reason'])
  })

  it('is checked by the rule of the field, in its own words', () => {
    const meta = { validation: { age: { _gte: 18 } }, validation_message: 'Adults only.' }
    const fields = [field('age', { is_nullable: true }, meta)]
    expect(checkDraft(fields, change(emptyDraft({ age: 20 }), 'age', 3), false, {}).get('age')).toBe('Adults only.')
    expect(checkDraft(fields, change(emptyDraft({ age: 20 }), 'age', 30), false, {}).size).toBe(0)
  })
})
