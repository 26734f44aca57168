// The database servers' command-line clients: third-party scripts need them (COPY FROM stdin, DELIMITER).
import { spawn } from 'node:child_process'
import { once } from 'node:events'

async function run(program: string, options: readonly string[], input: string): Promise<void> {
  const child = spawn(program, options, { stdio: ['pipe', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const ended = once(child, 'close')
  // A client that fails closes its input; its exit code reports the failure.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors.slice(-1000)}`)
}

/** Stops at the first error unless the script is known to have errors. */
export const psql = (url: string, script: string, isTolerant = false): Promise<void> =>
  run('psql', ['-X', '-q', '-v', `ON_ERROR_STOP=${isTolerant ? 0 : 1}`, '-d', url], script)

export function mariadb(url: string, script: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const login = password === '' ? [] : [`--password=${decodeURIComponent(password)}`]
  const address = ['-h', hostname, '-P', port || '3306', '-u', decodeURIComponent(username), ...login]
  return run('mariadb', ['--no-defaults', ...address, '--default-character-set=utf8mb4', pathname.slice(1)], script)
}
