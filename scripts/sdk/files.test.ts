import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeFiles } from './files.ts'

test('the files of the SDK are those of the contract; npm run sdk:procedures writes them', () => {
  for (const [path, text] of madeFiles()) expect(readFileSync(path, 'utf8')).toBe(text)
})
