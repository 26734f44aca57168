import type { Engine } from './engine.ts'
import { databasePassword } from './deployment.ts'

/** A PostgreSQL for a deployment that has none of its own. */
export async function startDatabase(engine: Engine, name: string, options: readonly string[]): Promise<void> {
  const environment = ['POSTGRES_USER=tain', 'POSTGRES_DB=tain', `POSTGRES_PASSWORD=${databasePassword}`]
  const given = environment.flatMap((each) => ['--env', each])
  await engine.podman(['run', '--detach', '--name', name, ...options, ...given, 'docker.io/library/postgres:17'])
  const isUp = ['exec', name, 'pg_isready', '--host=127.0.0.1', '--username=tain', '--dbname=tain']
  for (let attempt = 0; ; attempt += 1)
    try {
      await engine.podman(isUp)
      return
    } catch (error) {
      if (attempt === 60) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
}
