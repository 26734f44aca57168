import { noProbes, type Probes } from './app/probes.ts'
import { runCommandLine } from './cli/command-line.ts'
import { createTerminal } from './cli/terminal.ts'
import { isCi } from './config.ts'

export async function main(args: readonly string[], probes: Probes = noProbes): Promise<void> {
  const code = await runCommandLine(args, createTerminal({ isCi: isCi() }), probes)
  if (code !== null) process.exitCode = code
}
