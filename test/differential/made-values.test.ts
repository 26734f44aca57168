import { describe, expect, it } from 'vitest'
import { fixedSchema } from '../model/fixed-schema.ts'
import { emptyState } from '../model/state.ts'
import { withoutMadeValues } from './made-values.ts'

type Block = readonly [id: string, item: string]

const schema = fixedSchema()

/** Texts by key, and blocks that reference them. */
const shown = (texts: readonly (readonly [string, string])[], blocks: readonly Block[], body: unknown = null) => {
  const stored = new Map<string, readonly (readonly (string | null)[])[]>([
    ['texts', texts],
    ['pages_blocks', blocks.map(([id, item]) => [id, '1', 'texts', item, null])],
  ])
  return withoutMadeValues(schema, stored, emptyState(schema), body)
}

describe('rows without the values that the database made up', () => {
  it('are the same whatever these values are, and in whatever order their rows come', () => {
    const before = shown(
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
      [['1', 'b']],
    )
    expect(
      shown(
        [
          ['p', 'y'],
          ['q', 'x'],
        ],
        [['1', 'p']],
      ),
    ).toBe(before)
  })

  it('differ where something else is linked', () => {
    const texts = [
      ['a', 'x'],
      ['b', 'y'],
    ] as const
    expect(shown(texts, [['1', 'a']])).not.toBe(shown(texts, [['1', 'b']]))
  })

  it('differ where the same is linked twice and not two', () => {
    const texts = [
      ['a', 'x'],
      ['b', 'x'],
    ] as const
    const twice: readonly Block[] = [
      ['1', 'a'],
      ['2', 'a'],
    ]
    const both: readonly Block[] = [
      ['1', 'a'],
      ['2', 'b'],
    ]
    expect(shown(texts, twice)).not.toBe(shown(texts, both))
  })

  it('differ in values that were sent', () => {
    expect(shown([['a', 'x']], [], { id: 'a' })).not.toBe(shown([['b', 'x']], [], { id: 'a' }))
  })
})
