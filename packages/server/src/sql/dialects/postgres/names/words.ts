const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/u))

/** Words that no expression begins with or contains. */
export const reserved = setOf(`
  select distinct from where and or on as join inner outer cross natural lateral group having order limit offset union
  intersect except returning using when then else end desc asc for into is`)

/** Words that begin a clause, unless they are names: of columns, which an operator follows, for example. */
export const clauses = setOf(`
  by insert update delete set values over filter nulls first last of share key no skip locked nowait ordinality partition
  rows range only conflict do nothing materialized recursive repeatable tablesample within full left right with window all
  default explain declare unbounded preceding following current row`)

/** What looks like a function and is none: the server finds what it needs without the search path. */
export const syntax = setOf(
  `coalesce greatest least extract overlay position trim exists any all some row cast grouping`,
)

/** Types that are words of the grammar. The search path does not decide what they mean. */
export const grammarTypes = setOf(`
  bigint bit boolean char character dec decimal double float int integer interval national nchar numeric real smallint
  time timestamp varchar`)

/** The second and further words of such types. */
export const typeWords = setOf('varying precision with without time zone')

/** How tightly operators bind that are written without their schema. Those with a schema bind as `other`. */
const levels: Readonly<Record<string, number>> = {
  '^': 7,
  '*': 6,
  '/': 6,
  '%': 6,
  '+': 5,
  '-': 5,
  '<': 2,
  '>': 2,
  '=': 2,
  '<=': 2,
  '>=': 2,
  '<>': 2,
  '!=': 2,
}

export const OTHER = 4
/** IN, LIKE and BETWEEN. */
export const MATCH = 3
export const DISTINCT = 1

export const levelOf = (operator: string): number => levels[operator] ?? OTHER

/** The operators behind the words. */
export const wordOperators: ReadonlyMap<string, readonly [operator: string, negated: string]> = new Map([
  ['like', ['~~', '!~~']],
  ['ilike', ['~~*', '!~~*']],
])
