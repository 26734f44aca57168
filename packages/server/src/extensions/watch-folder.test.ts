import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFolder } from './watch-folder.ts'

let folder: string
let stop: () => Promise<void>
const onChange = vi.fn<() => Promise<void>>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-watch-'))
  await writeFile(join(folder, 'slugs.ts'), '1')
  onChange.mockReset().mockResolvedValue()
  stop = watchFolder(folder, onChange)
})
afterEach(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

/** Whether a change is noticed after the work. */
async function isNoticed(work: () => Promise<unknown>): Promise<boolean> {
  onChange.mockClear()
  await work()
  return vi.waitUntil(() => onChange.mock.calls.length > 0, { timeout: 5000 })
}

test('notices every change of a file that an editor saves by renaming', async () => {
  const [file, copy] = [join(folder, 'slugs.ts'), join(folder, '.slugs.ts.new')]
  for (const text of ['2', '3']) {
    await writeFile(copy, text)
    expect(await isNoticed(() => rename(copy, file))).toBe(true)
    expect(await isNoticed(() => appendFile(file, text))).toBe(true)
  }
})

test('notices files in folders that are made later', async () => {
  const [more, lib] = [join(folder, 'more'), join(folder, 'more', 'lib')]
  for (let round = 0; round < 2; round += 1) {
    expect(await isNoticed(() => mkdir(lib, { recursive: true }))).toBe(true)
    expect(await isNoticed(() => writeFile(join(lib, 'words.ts'), '1'))).toBe(true)
    expect(await isNoticed(() => rm(more, { recursive: true }))).toBe(true)
  }
})
