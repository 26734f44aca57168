import { describe, expect, test } from 'vitest'
import { printColumn, readColumn, readTable } from './table-text.ts'

const printed = [
  'CREATE TABLE `t` (',
  '  `id` int(11) NOT NULL AUTO_INCREMENT,',
  "  `a``b, c` varchar(20) NOT NULL DEFAULT 'x, y' COMMENT 'what''s, this',",
  '  `j` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`j`)),',
  '  `two\nlines` int(11) DEFAULT NULL,',
  '  PRIMARY KEY (`id`),',
  '  UNIQUE KEY `once` (`a``b, c`,`id`) USING BTREE,',
  '  KEY `m` (`m`),',
  '  CONSTRAINT `m_fk` FOREIGN KEY (`m`) REFERENCES `n` (`other`) ON DELETE SET NULL,',
  '  CONSTRAINT `rule` CHECK (`m` > 0)',
  ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='all of \\'it\\''",
].join('\n')

describe('a printed table', () => {
  const table = readTable(printed)
  test('has columns under their names', () => {
    expect([...table.columns.keys()]).toEqual(['id', 'a`b, c', 'j', 'two\nlines'])
  })
  test('has indexes with their columns', () => {
    expect(table.indexes.map(({ name, kind, columns }) => [name, kind, columns])).toEqual([
      ['PRIMARY', 'PRIMARY KEY', ['id']],
      ['once', 'UNIQUE KEY', ['a`b, c', 'id']],
      ['m', 'KEY', ['m']],
    ])
  })
  test('has constraints with what of the table they name', () => {
    expect(table.constraints.map(({ name, kind, mentions }) => [name, kind, mentions])).toEqual([
      ['m_fk', 'foreign-key', ['m']],
      ['rule', 'check', ['m']],
    ])
  })
  test('has a comment', () => {
    expect(table.comment).toBe("'all of \\'it\\''")
  })
})

describe('a printed column', () => {
  test.each([
    'int(11) NOT NULL AUTO_INCREMENT',
    "varchar(20) NOT NULL DEFAULT 'x NOT NULL' COMMENT 'it''s DEFAULT'",
    'timestamp(6) NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6)',
    'longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL CHECK (json_valid(`j`))',
    'int(11) GENERATED ALWAYS AS (2 * `id`) STORED',
    "enum('a','b (c)') NULL DEFAULT 'b (c)'",
    'decimal(10,3) unsigned NULL DEFAULT (1 + 2)',
  ])('%s is put together again', (definition) => {
    expect(printColumn(readColumn(definition))).toBe(definition)
  })

  test('comes apart at words, not inside of texts and brackets', () => {
    expect(readColumn("varchar(20) NOT NULL DEFAULT 'x NOT NULL' COMMENT 'it''s DEFAULT'")).toEqual({
      type: 'varchar(20)',
      generated: '',
      isNullable: false,
      default: "'x NOT NULL'",
      behind: '',
      comment: "'it''s DEFAULT'",
      check: '',
    })
    expect(readColumn('int(11) GENERATED ALWAYS AS (2 * `id`) STORED')).toMatchObject({
      type: 'int(11)',
      generated: 'GENERATED ALWAYS AS (2 * `id`) STORED',
    })
    expect(readColumn('timestamp(6) NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6)')).toMatchObject({
      default: 'current_timestamp(6)',
      behind: 'ON UPDATE current_timestamp(6)',
    })
  })
})
