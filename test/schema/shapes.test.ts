import { describe, expect, test } from 'vitest'
import { isAllowed } from './shapes.ts'
import type { TestDialect } from '../lib/databases.ts'

describe('the shapes tell what is said from what was sent', () => {
  /** Statements that are classified incorrectly. */
  const misjudged = (dialect: TestDialect, allowed: readonly string[], others: readonly string[]) => [
    ...allowed.filter((statement) => !isAllowed(statement, dialect)),
    ...others.filter((statement) => isAllowed(statement, dialect)),
  ]

  test('in PostgreSQL', () => {
    const wrong = misjudged(
      'postgres',
      [`alter table "public"."a" add column "zq7x""; drop" text default 'zq7x''; drop'::text`],
      [
        `alter table "public"."a" add column "zq7x"; drop table keep; --" text`,
        `alter table "public"."a" add column "x" text default 'zq7x'; drop table keep; --'::text`,
        `alter table "public"."a" add column "x" text default random()`,
        `create function f() returns int language sql as ''`,
        `select zq7x from a`,
        `drop table keep`,
      ],
    )
    expect(wrong).toEqual([])
  })

  test('in MariaDB', () => {
    const refusal = (text: string) =>
      `begin not atomic if exists (select 1 from t where n = ${text}) then signal sqlstate '45000' set mysql_errno = 4025, message_text = 'it has rows'; end if; end`
    const wrong = misjudged(
      'mysql',
      [
        "alter table `d`.`a` add column `zq7x``; drop` longtext DEFAULT 'zq7x\\'; drop'",
        refusal("'zq7x\\'; drop'"),
        'alter table `d`.`a` modify column `x` tinyint(1) NULL DEFAULT 1',
        'alter table `d`.`a` add column `zq7x``; drop` tinyint(1) NULL CHECK (`zq7x``; drop` in (0, 1))',
        `begin not atomic if exists (select 1 from t where n = 'zq7x') then
          alter table if exists \`d\`.\`a\` modify column if exists \`x\` int NULL;
          update \`d\`.\`a\` set \`x\` = \`y\` where \`y\` is not null;
        end if; end`,
      ],
      [
        'alter table `d`.`a` add column `zq7x`; drop table keep; --` longtext',
        "alter table `d`.`a` add column `x` longtext DEFAULT 'zq7x\\\\'; drop table keep; --'",
        'alter table `d`.`a` add column `x` longtext DEFAULT (rand())',
        'alter table `d`.`a` add column `x` tinyint(1) NULL CHECK (`x` in (0, 1) or rand())',
        refusal('zq7x'),
        refusal("'zq7x'); drop table keep; --'"),
        'select zq7x from a',
        'drop table keep',
      ],
    )
    expect(wrong).toEqual([])
  })

  test('in SQLite', () => {
    const wrong = misjudged(
      'sqlite',
      [
        `alter table "main"."a" add column "zq7x""; drop" text default 'zq7x''; drop'`,
        `alter table "main"."a" add column "zq7x""; drop" boolean not null check ("zq7x""; drop" in (0, 1))`,
        `rebuild table "a": "x" becomes varchar(20) using tain_text("x"), "x" default 'zq7x'`,
      ],
      [
        `alter table "main"."a" add column "zq7x"; drop table keep; --" text`,
        `alter table "main"."a" add column "x" text default 'zq7x'; drop table keep; --'`,
        `alter table "main"."a" add column "x" boolean check ("x" in (0, 1) or random())`,
        `rebuild table "a": "x" becomes text using zq7x("x")`,
        `rebuild table "a": "x" default random()`,
        `select zq7x from a`,
        `drop table keep`,
      ],
    )
    expect(wrong).toEqual([])
  })
})
