import { pino } from 'pino'
import { createApp, type App } from '../app.ts'
import { StartError } from '../schema/start-error.ts'
import { commandConfig } from './command-config.ts'
import type { Invocation } from './command.ts'
import { keepAlive } from '../lib/keep-alive.ts'

/** Works directly on the database, whether or not a service is running. */
export function withApp<T>(
  { settings }: Pick<Invocation, 'settings'>,
  { onlyLooks }: { readonly onlyLooks: boolean },
  work: (app: App) => Promise<T>,
): Promise<T> {
  return keepAlive(async () => {
    const app = await createApp(commandConfig(settings), pino({ level: 'silent' }), { onlyLooks })
    try {
      if (!(await app.start())) throw new StartError('The database does not answer.')
      return await work(app)
    } finally {
      await app.close()
    }
  })
}
