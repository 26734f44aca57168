import { chosenDialect } from '../lib/chosen-dialect.ts'
import type { TestDialect } from '../lib/databases.ts'

export type Kind = 'number' | 'text' | 'flag' | 'moment' | 'uuid' | 'json' | 'other'

/** Column types with sample defaults, and whether they can be indexed. */
export type TypeRow = readonly [
  weight: number,
  type: string,
  kind: Kind,
  defaults: readonly string[],
  isComparable: boolean,
]

export const TEXTS = [
  'plain',
  `it's`,
  'a "quoted" word',
  'back\\slash',
  "'; drop table x; --",
  'größe 日本 😀',
  'now()',
  ' ',
  '{}',
  'NULL',
]

const postgres: readonly TypeRow[] = [
  [6, 'integer', 'number', ['0', '-5', '2147483647'], true],
  [2, 'bigint', 'number', ['9007199254740993', '-9223372036854775808'], true],
  [1, 'smallint', 'number', ['7'], true],
  [2, 'real', 'number', ['0.5', '-1e10'], true],
  [2, 'double precision', 'number', ['0.1', '1e300'], true],
  [3, 'numeric(10,2)', 'number', ['1.50', '-0.01'], true],
  [1, 'numeric(6)', 'number', ['12'], true],
  [2, 'numeric', 'number', ['123456789012345678901234567890.5', '0'], true],
  [6, 'text', 'text', TEXTS, true],
  [4, 'character varying(40)', 'text', TEXTS, true],
  [2, 'character varying', 'text', TEXTS, true],
  [1, 'character(3)', 'text', ['a', 'ab ', `'"'`], true],
  [3, 'boolean', 'flag', ['true', 'false'], true],
  [2, 'date', 'moment', ['2024-02-29', 'infinity'], true],
  [1, 'time without time zone', 'moment', ['12:34:56'], true],
  [2, 'timestamp without time zone', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'timestamp with time zone', 'moment', ['2024-02-29 12:00:00+00'], true],
  [2, 'uuid', 'uuid', ['00000000-0000-4000-8000-000000000000'], true],
  [1, 'json', 'json', ['{"a": [1, "x"]}', '"text"', '[]', '12345678901234567890'], false],
  [2, 'jsonb', 'json', ['{"b": null}', '"5"', 'true'], true],
  [1, 'bytea', 'other', ['\\xdeadbeef'], true],
  [1, 'interval', 'other', ['1 day'], true],
  [1, 'inet', 'other', ['10.0.0.1'], true],
  [1, 'integer[]', 'other', ['{1,2}', '{}'], true],
  [1, 'text[]', 'other', ['{"a,b","c\\"d"}'], true],
  [1, 'daterange', 'other', ['[2024-01-01,2024-02-01)'], true],
]

/** Timestamps with the maximum precision, because snapshots do not carry a lower one. */
const mysql: readonly TypeRow[] = [
  [6, 'int', 'number', ['0', '-5', '2147483647'], true],
  [2, 'bigint', 'number', ['9007199254740993', '-9223372036854775808'], true],
  [1, 'bigint unsigned', 'number', ['18446744073709551615'], true],
  [1, 'smallint', 'number', ['7'], true],
  [1, 'int unsigned', 'number', ['4294967295'], true],
  [2, 'float', 'number', ['0.5', '-1e10'], true],
  [2, 'double', 'number', ['0.1', '1e300'], true],
  [3, 'decimal(10,2)', 'number', ['1.50', '-0.01'], true],
  [1, 'decimal(6,0)', 'number', ['12'], true],
  [2, 'decimal(40,10)', 'number', ['123456789012345678901234567890.5', '0'], true],
  [6, 'longtext', 'text', TEXTS, false],
  [1, 'mediumtext', 'text', TEXTS, false],
  [4, 'varchar(40)', 'text', TEXTS, true],
  [1, 'char(3)', 'text', ['a', 'ab', `'"'`], true],
  [3, 'tinyint(1)', 'flag', ['1', '0'], true],
  [2, 'date', 'moment', ['2024-02-29'], true],
  [1, 'time(6)', 'moment', ['12:34:56'], true],
  [2, 'datetime(6)', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'timestamp(6)', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'uuid', 'uuid', ['00000000-0000-4000-8000-000000000000'], true],
  [2, 'json', 'json', ['{"a":[1,"x"]}', '"text"', '[]', '12345678901234567890'], false],
  [1, 'longblob', 'other', ['x'], false],
]

const sqlite: readonly TypeRow[] = [
  [6, 'integer', 'number', ['0', '-5', '2147483647'], true],
  [2, 'bigint', 'number', ['9007199254740993', '-9223372036854775808'], true],
  [1, 'smallint', 'number', ['7'], true],
  [2, 'real', 'number', ['0.5', '-10000000000.0'], true],
  [1, 'double precision', 'number', ['0.1', '1e300'], true],
  [2, 'decimal(10, 2)', 'number', ['1.50', '-0.01'], true],
  [3, 'decimal_text(10, 2)', 'number', ['1.50', '-0.01'], true],
  [1, 'decimal_text(6, 0)', 'number', ['12'], true],
  [2, 'decimal_text', 'number', ['123456789012345678901234567890.5', '0'], true],
  [6, 'text', 'text', TEXTS, true],
  [4, 'varchar(40)', 'text', TEXTS, true],
  [2, 'varchar', 'text', TEXTS, true],
  [1, 'char(3)', 'text', ['a', 'ab ', `'"'`], true],
  [3, 'boolean', 'flag', ['true', 'false'], true],
  [2, 'date', 'moment', ['2024-02-29'], true],
  [1, 'time', 'moment', ['12:34:56'], true],
  [2, 'datetime', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'timestamp', 'moment', ['2024-02-29 12:00:00'], true],
  [2, 'uuid', 'uuid', ['00000000-0000-4000-8000-000000000000'], true],
  [2, 'json', 'json', ['{"a":[1,"x"]}', '"text"', '[]', '12345678901234567890'], true],
  [1, 'blob', 'other', ['xdeadbeef'], true],
]

const types: Readonly<Record<TestDialect, readonly TypeRow[]>> = { postgres, mysql, sqlite }

export const chosenTypes = (): readonly TypeRow[] => types[chosenDialect()]

/** Features that not every database has. */
export interface Features {
  readonly schemas: boolean
  readonly comments: boolean
  readonly actions: readonly string[]
  /** Types of auto-increment keys. */
  readonly counters: readonly (readonly [type: string, counter: 'identity' | 'serial'])[]
  /** Text types of keys, alone and in a composite key. */
  readonly keyText: string
  readonly pairText: string
  readonly integer: string
  readonly now: Readonly<Record<string, readonly string[]>>
  readonly uuid: string
  /** A foreign key with SET NULL, or with CASCADE, which may copy a null, must have only nullable columns. */
  readonly emptiesOnlyNullable: boolean
  /** A foreign key creates an index, so its first column always counts as indexed. */
  readonly keysBringIndexes: boolean
}

const ACTIONS = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']

const features: Readonly<Record<TestDialect, Features>> = {
  postgres: {
    schemas: true,
    comments: true,
    actions: ACTIONS,
    counters: [
      ['integer', 'identity'],
      ['bigint', 'identity'],
      ['integer', 'serial'],
    ],
    keyText: 'character varying(20)',
    pairText: 'text',
    integer: 'integer',
    now: Object.fromEntries(
      postgres.flatMap(([, type, kind]) => (kind === 'moment' ? [[type, ['now()', 'CURRENT_TIMESTAMP']]] : [])),
    ),
    uuid: 'gen_random_uuid()',
    emptiesOnlyNullable: false,
    keysBringIndexes: false,
  },
  mysql: {
    schemas: false,
    comments: true,
    actions: ACTIONS.slice(0, -1),
    counters: [
      ['int', 'identity'],
      ['bigint', 'identity'],
    ],
    keyText: 'varchar(20)',
    pairText: 'varchar(20)',
    integer: 'int',
    now: {
      'datetime(6)': ['current_timestamp(6)'],
      'timestamp(6)': ['current_timestamp(6)'],
      date: ['curdate()'],
      'time(6)': ['curtime(6)'],
    },
    uuid: 'uuid()',
    emptiesOnlyNullable: true,
    keysBringIndexes: true,
  },
  sqlite: {
    schemas: false,
    comments: false,
    actions: ACTIONS,
    counters: [['integer', 'identity']],
    keyText: 'varchar(20)',
    pairText: 'text',
    integer: 'integer',
    now: {
      datetime: [`(strftime('%Y-%m-%d %H:%M:%f', 'now'))`],
      timestamp: [`(strftime('%Y-%m-%d %H:%M:%f', 'now'))`],
      date: [`(date('now'))`],
      time: [`(time('now'))`],
    },
    uuid: `(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))`,
    emptiesOnlyNullable: false,
    keysBringIndexes: false,
  },
}

export const chosenFeatures = (): Features => features[chosenDialect()]
