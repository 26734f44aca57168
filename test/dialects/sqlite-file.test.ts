import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openService } from '../lib/service.ts'

test('a new file of SQLite is its owner’s alone, with what is beside it; one that exists keeps its mode', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tain-mode-'))
  try {
    const [made, given] = [join(folder, 'made.db'), join(folder, 'given.db')]
    await writeFile(given, '', { mode: 0o640 })
    const check = async (file: string, mode: number) => {
      const started = await openService({ DATABASE_URL: `sqlite:${file}` })
      const modes = await Promise.all(
        ['', '-wal', '-shm'].map(async (suffix) => (await stat(`${file}${suffix}`)).mode & 0o777),
      )
      await started.stop()
      expect(modes).toEqual([mode, mode, mode])
    }
    await Promise.all([check(made, 0o600), check(given, 0o640)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
