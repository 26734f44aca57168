// Temporary resources that scripts create for one run and remove again: a database and a running service.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { PROGRAM } from './program.ts'
import { freePort } from './free-port.ts'

export const top = join(import.meta.dirname, '../..')
export const serviceProgram = PROGRAM

const serverUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates an empty PostgreSQL database, passes its URL to the work and always drops it afterwards. */
export async function withDatabase<T>(purpose: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `tain_${purpose}_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await onServer(`create database "${name}"`)
  try {
    return await work(url.href)
  } finally {
    await onServer(`drop database if exists "${name}" with (force)`)
  }
}

/** A signal that the first Ctrl-C or SIGTERM aborts, so that the work ends cleanly and its `finally` blocks run. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (ended()) return
    child.kill(signal)
    await Promise.race([once(child, 'exit'), sleep(8000, undefined, { ref: false })])
  }
}

/** Starts the service and waits for its first response; `log` is a file descriptor for its output. */
export async function startService(
  environment: Readonly<Record<string, string>>,
  log: number,
  signal: AbortSignal,
  program = serviceProgram,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: top,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, ...environment },
    stdio: ['ignore', log, log],
  })
  try {
    await firstAnswer(`${url}/server/ping`, child, signal)
  } catch (error) {
    await stop(child)
    throw error
  }
  return { url, process: child }
}

async function firstAnswer(address: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await answers(address))) {
    if (child.exitCode !== null) throw new Error(`the service ended with code ${child.exitCode} before it answered`)
    if (Date.now() > deadline) throw new Error(`no answer from ${address} within 60 s`)
    await sleep(100, undefined, { signal })
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
