import { ServiceError, ServiceErrors } from '@tain/contract'
import { ConfigError } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import { Usage } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Prints one line for each error that the person can fix; any other one is a defect and prints its stack. */
export function report(error: unknown, terminal: Terminal): void {
  if (error instanceof ServiceErrors) {
    for (const each of error.errors) terminal.tell(each.message)
    return
  }
  // Whoever runs a command may read why.
  if (error instanceof ServiceError && error.status === 503 && error.cause instanceof Error)
    return terminal.tell(`${error.message} ${error.cause.message}`)
  const isKnown = [ConfigError, StartError, Usage, ServiceError].some((kind) => error instanceof kind)
  if (error instanceof Error) terminal.tell(isKnown ? error.message : (error.stack ?? error.message))
  else terminal.tell(String(error))
}
