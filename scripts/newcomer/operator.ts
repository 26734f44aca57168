import { deepEqual } from 'node:assert/strict'
import type * as Evaluate from '../../packages/server/src/access/evaluate.ts'
import { after, before, CONTRACT, SERVER, type Change } from './change.ts'
import { onEveryDatabase } from './service.ts'

const FILTER = '{ body: { _nicontains: "AP" } }'

export const operator: Change = {
  what: 'a filter operator',
  example: '`_nicontains`',
  row: after(
    `${CONTRACT}/operators.ts`,
    `  _icontains: { operand: 'value', tests: 'text', negates: false, insideJson: true, withNull: null },\n`,
    `  _nicontains: { operand: 'value', tests: 'text', negates: true, insideJson: false, withNull: null },\n`,
  ),
  rest: [
    after(`${CONTRACT}/operators.ts`, `    '_icontains',\n`, `    '_nicontains',\n`),
    after(
      `${SERVER}/sql/dialects/base/operators.ts`,
      `    _icontains: text('anywhere', true),\n`,
      `    _nicontains: notText('anywhere', true),\n`,
    ),
    after(
      `${SERVER}/access/evaluate.ts`,
      `  _icontains: textInAnyCase(contains),\n`,
      `  _nicontains: not(textInAnyCase(contains)),\n`,
    ),
    after(
      'test/docs/reference-tables.ts',
      `  _icontains: 'contains the text, ignoring case',\n`,
      `  _nicontains: 'does not contain the text, ignoring case',\n`,
    ),
    after(
      'docs/query.md',
      '| `_icontains` | a value | contains the text, ignoring case | text |\n',
      '| `_nicontains` | a value | does not contain the text, ignoring case | text |\n',
    ),
    before(
      'docs/query.md',
      '```http run\nGET /items/products?filter[name][_starts_with]=C&fields=name\n',
      '```http run\nGET /items/products?filter[name][_nicontains]=N&fields=name\n```\n\n```json\n{ "data": [{ "name": "Spade" }, { "name": "Gift card" }] }\n```\n\n',
    ),
  ],
  show: async (copy) => {
    const { evaluate } = await copy.load<typeof Evaluate>(`${SERVER}/access/evaluate.ts`)
    const rule = { body: { _nicontains: 'AP' } }
    deepEqual(
      ['grape', 'plum'].map((body) => evaluate(rule, { body }).length),
      [1, 0],
    )
    const databases = await onEveryDatabase(copy, async ({ ask, graphql }) => {
      deepEqual(await ask('GET', `/items/notes?fields=id&filter=${JSON.stringify(rule)}`), [{ id: 3 }])
      deepEqual(await graphql(`{ notes(filter: ${FILTER}) { id } }`), { notes: [{ id: '3' }] })
    })
    return `a rule; REST and GraphQL filters on ${databases}`
  },
}
