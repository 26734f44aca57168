import { version } from '../version.ts'
import type { Run } from './command.ts'

export const printVersion: Run = async ({ terminal }) => {
  terminal.print(`${version}\n`)
  return 0
}
