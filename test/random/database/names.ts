import { canBeName } from './dialect.ts'
import type { Dialect } from './model.ts'
import type { Rng } from '../rng.ts'

/**
 * Table names and column names come from separate lists, and no two names become equal when dots turn into `_`. So
 * inferred names are unambiguous.
 */
const PLAIN_TABLES = [
  'authors',
  'articles',
  'comments',
  'tags',
  'orders',
  'lines',
  'people',
  'places',
  'events',
  'stock',
]
const HOSTILE_TABLES = [
  'two words',
  `quo"ted`,
  `it's`,
  'dot.ted',
  'com,ma',
  'par(en)s',
  'größen',
  '日本',
  'CamelCase',
  'order',
  'table',
  'constructor',
  'toString',
  '1st',
  '$money',
  '50%',
  'back\\slash',
  'co:lon',
  'da-sh',
  'a;drop table x;--',
  'q?a&b=c#d',
  'pl+us',
  'e😀ji',
  'x'.repeat(61),
]

const PLAIN_COLUMNS = [
  'name',
  'title',
  'body',
  'amount',
  'price',
  'born',
  'made',
  'flag',
  'status',
  'extra',
  'kind',
  'rank',
]
const HOSTILE_COLUMNS = [
  'my col',
  `do"uble`,
  `sin'gle`,
  'a.b',
  'a,c',
  'f(x)',
  'ünïcode',
  '列',
  'UPPER',
  'select',
  'from',
  'group',
  '__proto__',
  'hasOwnProperty',
  '_under',
  '2nd',
  '$ref',
  '100%',
  'sl\\ash',
  'x:y',
  '-minus',
  'd-e',
  `"; select 1; --`,
  'p?q&r=s#t',
  'pl us+',
  'o😀o',
  'tab\there',
  'line\nbreak',
  '%s',
  '{curly}',
  '[square]',
  '@at',
  '/* c */',
  ' lead',
  'trail ',
  'z'.repeat(60),
]

const LINK_COLUMNS = ['author', 'owner', 'parent', 'place', 'editor', 'sender', 'receiver', 'main', 'origin', 'next']
const HOSTILE_LINKS = [
  'ref.erence',
  'ref erence',
  `ref'"`,
  'references',
  'Ref',
  'r(ef)',
  'r,ef',
  'réf',
  'ref-er',
  'r%ef',
]

export interface NamePool {
  table(): string
  column(): string
  link(): string
}

/** Names that are used at most once per schema. `hostileShare` is the share of hostile names; 0 means none. */
export function createNamePool(rng: Rng, dialect: Dialect, hostileShare: number): NamePool {
  const drawer = (plain: readonly string[], hostile: readonly string[]): (() => string) => {
    const stacks = {
      plain: rng.shuffle(plain),
      hostile: hostileShare === 0 ? [] : rng.shuffle(hostile).filter((name) => canBeName(dialect, name)),
    }
    let serial = 0
    return () => {
      const first = rng.chance(hostileShare) ? stacks.hostile : stacks.plain
      const other = first === stacks.hostile ? stacks.plain : stacks.hostile
      return first.pop() ?? other.pop() ?? `extra${++serial}x`
    }
  }
  return {
    table: drawer(PLAIN_TABLES, HOSTILE_TABLES),
    column: drawer(PLAIN_COLUMNS, HOSTILE_COLUMNS),
    link: drawer(LINK_COLUMNS, HOSTILE_LINKS),
  }
}
