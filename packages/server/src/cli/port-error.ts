import type { Config } from '../config.ts'
import { StartError } from '../schema/start-error.ts'

/** The error in words if a person can correct it; otherwise the error itself. */
export function portError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is taken by another program. Stop that program, or choose another port: tain start --port ${port + 1}`,
    )
  if (code === 'EACCES')
    return new StartError(`This user may not listen on port ${port}. Choose a port above 1023: tain start --port 8055`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`This machine has no address ${host} to listen on. Correct HOST.`)
  return error
}
