import { pino } from 'pino'
import { createApp, type App } from '../app.ts'
import { readConfigWith } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import type { Invocation } from './command.ts'

/** Works directly on the database, whether or not a service is running. */
export async function withApp<T>(
  { settings }: Pick<Invocation, 'settings'>,
  { onlyLooks }: { readonly onlyLooks: boolean },
  work: (app: App) => Promise<T>,
): Promise<T> {
  // Connections that wait for a response do not keep the process alive by themselves.
  const alive = setInterval(() => undefined, 60_000)
  try {
    const config = readConfigWith(settings)
    const app = await createApp({ ...config, shutdownDelay: 0 }, pino({ level: 'silent' }), { onlyLooks })
    try {
      if (!(await app.start())) throw new StartError('The database does not answer.')
      return await work(app)
    } finally {
      await app.close()
    }
  } finally {
    clearInterval(alive)
  }
}
