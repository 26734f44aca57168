import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentIn, environmentWith, settingGiven, settings as known } from '../config.ts'
import type { Invocation, Run } from './command.ts'
import type { Terminal } from './terminal.ts'

const FILE = '.env'
/** Editors write a file in several steps. */
const SETTLED = 200
const PING_INTERVAL = 100

/** What suits one's own machine; settings that are given take precedence. */
const defaults = {
  HOST: '127.0.0.1',
  LOG_FORMAT: 'text',
  SHUTDOWN_DELAY: '0',
  SHUTDOWN_TIMEOUT: '1000',
  EXTENSIONS_OPTIONAL: 'true',
  EXTENSIONS_RELOAD: 'true',
  CORS_ENABLED: 'true',
  CORS_ORIGIN: 'http://localhost:3000,http://localhost:4321,http://localhost:5173,http://localhost:8080',
} as const

/** Serves as `tain start` does, in a process that starts again when `.env` changes. */
export const dev: Run = async ({ options, settings, terminal }) => {
  const ended = new Promise<'ended'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('ended'))
  })
  const { changed, close } = watchFile()
  let service = startService(settings)
  if (options['open'] !== false && terminal.isInteractive) void openWhenReady(settings, service, terminal)
  for (;;) {
    const exited = once(service, 'exit').then(() => 'exited' as const)
    let event = await Promise.race([changed(), exited, ended])
    if (event === 'exited') {
      terminal.tell(`The service has ended. It starts again when ${FILE} changes; Ctrl-C ends.`)
      event = await Promise.race([changed(), ended])
    }
    await stop(service)
    if (event === 'ended') {
      close()
      return 0
    }
    terminal.tell(`${FILE} changed, the service starts again.`)
    service = startService(settings)
  }
}

/** The child reads `.env` itself: values of the last reading in its environment would hide a change. */
function startService(settings: Invocation['settings']): ChildProcess {
  const missing = Object.entries(defaults).filter(([name]) => given(name, settings) === null)
  return spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'start'], {
    stdio: 'inherit',
    // Ctrl-C reaches this process alone, which then ends the service.
    detached: true,
    env: environmentWith({ ...Object.fromEntries(missing), ...settings }),
  })
}

/** The value of a setting as the service will read it. */
const given = (name: string, settings: Invocation['settings']): string | null =>
  settingGiven(name, settings) ?? environmentIn(FILE)[name] ?? null

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}

/** The folder is watched, because editors replace a file rather than write into it. */
function watchFile(): { readonly changed: () => Promise<'changed'>; readonly close: () => void } {
  let tell: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const watcher = watch('.', (_, name) => {
    if (name !== FILE) return
    clearTimeout(timer)
    timer = setTimeout(() => tell?.(), SETTLED)
  })
  return {
    close: () => watcher.close(),
    changed: () =>
      new Promise((resolve) => {
        tell = () => resolve('changed')
      }),
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the page that says what runs here. A machine without a browser shows the address only. */
async function openWhenReady(
  settings: Invocation['settings'],
  service: ChildProcess,
  { tell }: Terminal,
): Promise<void> {
  const address = `http://127.0.0.1:${given('PORT', settings) ?? known.port.fallback}/`
  while (service.exitCode === null && !(await answers(`${address}server/ping`))) await sleep(PING_INTERVAL)
  if (service.exitCode !== null) return
  const [program, ...words] = openers[process.platform] ?? ['xdg-open']
  spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    .on('error', () => tell(`Open ${address} in a browser.`))
    .unref()
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
