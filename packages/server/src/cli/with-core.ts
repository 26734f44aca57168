import { pino } from 'pino'
import { createCore, type Core } from '../app/core.ts'
import { noProbes } from '../app/probes.ts'
import { StartError } from '../schema/start-error.ts'
import { commandConfig } from './command-config.ts'
import type { Invocation } from './command.ts'
import { keepAlive } from '../lib/keep-alive.ts'

/** Works directly on the database, whether or not a service is running. */
export function withCore<T>(
  { settings, probes = noProbes }: Pick<Invocation, 'settings'> & Partial<Pick<Invocation, 'probes'>>,
  { onlyLooks, hasExtensions = false }: { readonly onlyLooks: boolean; readonly hasExtensions?: boolean },
  work: (core: Core) => Promise<T>,
): Promise<T> {
  return keepAlive(async () => {
    const core = await createCore(commandConfig(settings), pino({ level: 'silent' }), { onlyLooks, probes })
    try {
      if (hasExtensions) await core.parts.extensions.load()
      if (!(await core.start())) throw new StartError('The database does not answer.')
      return await work(core)
    } finally {
      await core.close()
    }
  })
}
