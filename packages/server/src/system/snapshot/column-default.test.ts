import { describe, expect, it } from 'vitest'
import type { DatabaseColumn } from '../../schema/schema.ts'
import { defaultOf, describeDefault, normalDefault } from './column-default.ts'

const column = (dataType: string, defaultExpression: string | null, hasAutoIncrement = false) =>
  ({ dataType, defaultExpression, hasAutoIncrement }) as DatabaseColumn

describe('a default in a snapshot', () => {
  it.each([
    ['integer', 'number', '5', 5],
    ['integer', 'number', "'-5'::integer", -5],
    ['numeric', 'number', '1.50::numeric(10,5)', 1.5],
    ['bigint', 'number', "'9007199254740993'::bigint", '9007199254740993'],
    ['numeric', 'number', "'NaN'::numeric", 'NaN'],
    ['double precision', 'number', "'1e+300'::double precision", '1e300'],
    ['boolean', 'boolean', 'true', true],
    ['text', 'text', "'it''s'::text", "it's"],
    ['text', 'text', "'now()'::text", 'now()'],
    ['character varying', 'text', "'a'::character varying(10)", 'a'],
    ['json', 'json', `'{"a": 12345678901234567890}'::json`, '{"a":12345678901234567890}'],
    ['json', 'json', `'"x"'::json`, '"x"'],
  ] as const)('of %s as %s, printed as %s %s, is a value', (type, values, expression, value) => {
    expect(describeDefault(column(type, expression), values)).toEqual({ default_value: value })
    expect(normalDefault(value, values)).toEqual(value)
  })

  it.each([
    ['timestamp with time zone', 'CURRENT_TIMESTAMP', 'now()', { kind: 'now' }],
    ['date', 'CURRENT_DATE', 'now()', { kind: 'now' }],
    ['datetime', 'CURRENT_TIMESTAMP', 'now()', { kind: 'now' }],
    ['uuid', 'gen_random_uuid()', 'gen_random_uuid()', { kind: 'uuid' }],
    // The start of the day is a different timestamp than now.
    ['timestamp without time zone', 'CURRENT_DATE', 'CURRENT_DATE', undefined],
    ['text', "lower('X'::text)", "lower('X'::text)", undefined],
  ])('of %s that is computed by %s is an expression', (type, expression, text, made) => {
    const described = describeDefault(column(type, expression), 'text')
    expect(described).toEqual({ default_value: null, default_expression: text })
    expect(defaultOf(described)).toEqual(made)
  })

  it('is none for a counter, and for NULL', () => {
    expect(describeDefault(column('integer', "nextval('a_id_seq'::regclass)", true), 'number')).toEqual({
      default_value: null,
    })
    expect(describeDefault(column('text', 'NULL::character varying'), 'text')).toEqual({ default_value: null })
  })

  it('may be written by hand in other ways', () => {
    expect(normalDefault({ a: 1 }, 'json')).toBe('{"a":1}')
    expect(normalDefault('plain words', 'json')).toBe('"plain words"')
    expect(normalDefault('1.50', 'number')).toBe(1.5)
    expect(normalDefault(7, 'text')).toBe('7')
    expect(normalDefault('true', 'boolean')).toBe(true)
  })
})
