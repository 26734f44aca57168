// A database that outlives the services on it, and checks to run after each of them was killed.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '../lib/postgres-cluster.ts'
import { connect, type TestConnection } from '../lib/databases.ts'
import { prepare, prepareFile, untilAlone } from './fixture.ts'

export interface Stage {
  readonly url: string
  /** Prefix of the service's own tables. */
  readonly own: string
  /** Problems with the database files after a kill. */
  damage(): Promise<readonly string[]>
  /** Resolves when no session of a killed service is left; null where sessions end with their process. */
  readonly settle: ((database: TestConnection) => Promise<void>) | null
  destroy(): Promise<void>
}

async function clusterStage(): Promise<Stage> {
  const cluster = await startCluster({ fsync: 'on', max_connections: '100' })
  await prepare(cluster.url)
  return {
    url: cluster.url,
    own: 'tain.',
    damage: async () => [],
    settle: untilAlone,
    destroy: () => cluster.destroy(),
  }
}

/** Only the service opens the file during the kills, so that each start has to recover on its own. */
async function fileStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-killed-'))
  const file = join(directory, 'killed.db')
  const copy = join(directory, 'copy.db')
  const url = `sqlite:${file}`
  await prepareFile(url)
  return {
    url,
    own: '',
    async damage() {
      for (const suffix of ['', '-wal']) {
        await rm(`${copy}${suffix}`, { force: true })
        await copyFile(`${file}${suffix}`, `${copy}${suffix}`)
      }
      return checkFile(`sqlite:${copy}`)
    },
    settle: null,
    destroy: () => rm(directory, { recursive: true, force: true }),
  }
}

async function checkFile(url: string): Promise<readonly string[]> {
  const { query, close } = await connect(url)
  try {
    const words = (await query('pragma integrity_check')).map(([word]) => word ?? '').filter((word) => word !== 'ok')
    const loose = (await query('pragma foreign_key_check')).map((row) => row.join(' '))
    return [...words, ...loose]
  } catch (error) {
    return [String(error)]
  } finally {
    await close()
  }
}

export const stages = { postgres: clusterStage, sqlite: fileStage } as const

export type StageName = keyof typeof stages
