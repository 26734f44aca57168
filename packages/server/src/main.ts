import { runCommandLine } from './cli/command-line.ts'
import { createTerminal } from './cli/terminal.ts'
import { isCi } from './config.ts'

export async function main(args: readonly string[]): Promise<void> {
  const code = await runCommandLine(args, createTerminal({ isCi: isCi() }))
  if (code !== null) process.exitCode = code
}
