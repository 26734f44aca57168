import type { Block, Page } from './pages.ts'

export interface Example {
  readonly block: Block
  readonly expected: Block | null
}

const isRun = ({ options }: Block) => Object.hasOwn(options, 'run')

/** Executable blocks, each with the block right below it, which shows the response. */
export function examplesOf({ blocks, lines }: Page): Example[] {
  return blocks.flatMap((block, index) => {
    if (!isRun(block)) return []
    const next = blocks[index + 1]
    const isAdjacent = next !== undefined && lines.slice(block.end, next.start - 1).every((line) => line.trim() === '')
    return { block, expected: isAdjacent && !isRun(next) ? next : null }
  })
}
