import { BLOCKS_PER_PAGE } from './counts.ts'
import { randomOf } from './random.ts'
import type { ShopRow } from './rows.ts'
import { pageTitles, sentences } from './words.ts'

/** The collections of a page's blocks, in turn. */
export const blockCollections = ['block_text', 'block_gallery', 'block_quote'] as const

type BlockCollection = (typeof blockCollections)[number]

const BLOCKS = pageTitles.length * BLOCKS_PER_PAGE

/** The collection of a block, and its key there. */
const placeOf = (block: number): readonly [BlockCollection, number] => [
  blockCollections[(block - 1) % blockCollections.length] ?? 'block_text',
  Math.ceil(block / blockCollections.length),
]

export const pages = (): Iterable<ShopRow> =>
  pageTitles.map((title, index) => [
    index + 1,
    title,
    title.toLowerCase().replaceAll(' ', '-'),
    index === 7 ? 'draft' : 'published',
  ])

/** A page shows blocks of any kind: the collection is in one column, the key of the block in another. */
export function* pagesBlocks(): Generator<ShopRow> {
  for (let block = 1; block <= BLOCKS; block += 1) {
    const [collection, item] = placeOf(block)
    yield [block, Math.ceil(block / BLOCKS_PER_PAGE), collection, String(item), (block - 1) % BLOCKS_PER_PAGE]
  }
}

const contents: Readonly<Record<BlockCollection, (id: number) => ShopRow>> = {
  block_text: (id) => {
    const { pick } = randomOf('block_text', id)
    return [id, `${pick(sentences)} ${pick(sentences)}`]
  },
  block_gallery: (id) => {
    const { below } = randomOf('block_gallery', id)
    return [id, `Pictures ${id}`, JSON.stringify(Array.from({ length: 3 }, () => `/pictures/${1 + below(40)}.jpg`))]
  },
  block_quote: (id) => {
    const { pick } = randomOf('block_quote', id)
    return [id, pick(sentences), 'A customer']
  },
}

export function* blocks(collection: BlockCollection): Generator<ShopRow> {
  for (let block = 1; block <= BLOCKS; block += 1) {
    const [place, id] = placeOf(block)
    if (place === collection) yield contents[collection](id)
  }
}
