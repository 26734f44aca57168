import { describe, expect, test } from 'vitest'
import { comparePositions, positionText, readPosition } from './binlog-position.ts'
import { meaningOf } from './binlog-statement.ts'

describe('a statement in the binary log', () => {
  const meanings: Readonly<Record<string, object>> = {
    BEGIN: { kind: 'begin' },
    COMMIT: { kind: 'commit' },
    ROLLBACK: { kind: 'rollback' },
    'SAVEPOINT `s`': { kind: 'nothing' },
    'ROLLBACK TO `s`': { kind: 'unknown' },
    'insert into t values (1)': { kind: 'unknown' },
    '/* a job */ -- of mine\n update t set a = 1': { kind: 'unknown' },
    "XA COMMIT X'6f6e65',X'',1": { kind: 'commitPrepared', name: "X'6f6e65',X'',1" },
    "XA ROLLBACK X'6f6e65',X'',1": { kind: 'rollbackPrepared', name: "X'6f6e65',X'',1" },
    'truncate t': { kind: 'empty', schema: null, table: 't' },
    'TRUNCATE TABLE `a``b`.`c d`': { kind: 'empty', schema: 'a`b', table: 'c d' },
    'truncate "q"."r"': { kind: 'empty', schema: 'q', table: 'r' },
    '/*! truncate table t */': { kind: 'empty', schema: null, table: 't' },
    'create or replace table über (a int)': { kind: 'empty', schema: null, table: 'über' },
    'alter table d.t drop partition p': { kind: 'empty', schema: 'd', table: 't' },
    'alter table t add column a int': { kind: 'shape' },
    'create table t (a int)': { kind: 'shape' },
  }
  test.each(Object.entries(meanings))('%j', (text, meaning) => expect(meaningOf(text)).toEqual(meaning))
})

describe('a place in the binary log', () => {
  test('is a text without a plus sign', () => {
    const place = { file: 'c++/bin.000012', offset: 5_000_000_000, stamp: '1-1700000000' }
    expect(positionText(place)).not.toContain('+')
    expect(readPosition(positionText(place))).toEqual(place)
  })

  test('is ordered by the number of its file, then by its offset', () => {
    const sorted = ['bin.000009/900/', 'bin.000010/4/', 'bin.000010/30/', 'bin.999999/4/', 'bin.1000000/4/']
    expect(sorted.toReversed().toSorted(comparePositions)).toEqual(sorted)
  })
})
