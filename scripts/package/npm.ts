import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'

/** Runs npm and returns its output. Under `npm run` it is the npm that runs the script, on every system without a shell. */
export function npm(args: readonly string[], cwd: string): string {
  const program = process.env.npm_execpath
  const options = {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  } satisfies ExecFileSyncOptionsWithStringEncoding
  return program === undefined
    ? execFileSync('npm', args, options)
    : execFileSync(process.execPath, [program, ...args], options)
}
