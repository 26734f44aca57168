import { array, assert, asyncProperty, constantFrom, dictionary, jsonValue, nat, string } from 'fast-check'
import { expect, test } from 'vitest'
import { splitList } from './json.ts'

async function* pieces(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  let at = 0
  for (const size of sizes) {
    yield text.slice(at, at + size)
    at += size
  }
  yield text.slice(at)
}

async function allOf(texts: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const text of texts) all.push(text)
  return all
}

const object = dictionary(string(), jsonValue())
const sizes = array(nat({ max: 20 }))

test('objects come out whole, wherever the file is cut', async () => {
  await assert(
    asyncProperty(array(object), sizes, constantFrom(0, 2), async (objects, cuts, indent) => {
      const found = await allOf(splitList(pieces(JSON.stringify(objects, null, indent), cuts)))
      expect(found.map((text) => JSON.parse(text) as unknown)).toEqual(JSON.parse(JSON.stringify(objects)))
    }),
  )
})

test('what is no list of objects is refused, wherever it is cut', async () => {
  const broken = [
    '',
    ' ',
    '{}',
    '[',
    '[{}',
    '[{},',
    '[{},]',
    '[{}]]',
    '[,{}]',
    '[{}{}]',
    '[1]',
    '["{}"]',
    '[[{}]]',
    'null',
    '[{"a":"]}',
  ]
  for (const text of broken)
    for (let cut = 0; cut <= text.length; cut += 1)
      await expect(allOf(splitList(pieces(text, [cut])))).rejects.toThrow('JSON list of objects')
})
