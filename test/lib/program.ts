import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program that tests start: the source of the checkout, or what SERVICE_PROGRAM names, such as a build. */
export const PROGRAM =
  process.env['SERVICE_PROGRAM'] ?? fileURLToPath(new URL('../../packages/server/bin/tain.js', import.meta.url))

/** The same program with failpoints and a log of statements, which the published one does not have. */
export const PROBED_PROGRAM = join(dirname(dirname(PROGRAM)), 'testing/tain.js')

/** The program that an environment needs. */
export const programFor = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment['TAIN_FAILPOINTS'] === undefined && environment['TAIN_STATEMENT_LOG'] === undefined
    ? PROGRAM
    : PROBED_PROGRAM
