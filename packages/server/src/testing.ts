import { main as run } from './main.ts'
import { environmentWith } from './config.ts'
import { probesIn } from './testing/probes.ts'

/** The program for tests: with failpoints and a log of all statements, if its environment asks for them. */
export const main = (args: readonly string[]): Promise<void> => run(args, probesIn(environmentWith({})))
