import { fileURLToPath } from 'node:url'

/** The program that tests start: the source of the checkout, or what SERVICE_PROGRAM names, such as a build. */
export const PROGRAM =
  process.env['SERVICE_PROGRAM'] ?? fileURLToPath(new URL('../../packages/server/bin/tain.js', import.meta.url))
