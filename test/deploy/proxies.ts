// The proxies of docs/deploy.md, each with the configuration of the page in front of a service on 127.0.0.1:8055.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deployment, untilReady } from './deployment.ts'
import type { Engine } from './engine.ts'
import { top } from '../lib/throwaway.ts'

interface Proxy {
  readonly name: string
  /** The language of the block in the page. */
  readonly language: string
  /** The file of the configuration: the block, and what a system has around it. */
  readonly file: string
  readonly around: (block: string, folder: string) => string
  readonly command: (folder: string) => readonly string[]
}

export const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    language: 'nginx',
    file: 'nginx.conf',
    around: (block, folder) => `pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
user root;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
${block}
}
`,
    command: (folder) => ['nginx', '-c', `${folder}/nginx.conf`, '-e', `${folder}/error.log`, '-g', 'daemon off;'],
  },
  {
    name: 'HAProxy',
    language: 'haproxy',
    file: 'haproxy.cfg',
    around: (block) => block,
    command: (folder) => ['haproxy', '-db', '-f', `${folder}/haproxy.cfg`],
  },
  {
    name: 'Caddy',
    language: 'caddy',
    file: 'Caddyfile',
    // No certificate can be had for the name of the page.
    around: (block, folder) =>
      `{\n  admin off\n  storage file_system ${folder}\n}\n${block.replace('api.example.com', 'http://127.0.0.1')}`,
    command: (folder) => ['caddy', 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
  },
]

const URL = 'http://127.0.0.1:80'
const PAGE = 'docs/deploy.md'

/** The first block of a language. */
export function blockOf(language: string, page = readFileSync(join(top, PAGE), 'utf8')): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'msu').exec(page)?.[1]
  if (found === undefined) throw new Error(`${PAGE} has no block of ${language}`)
  return found
}

/** The service behind a proxy on port 80. */
export async function startBehind(proxy: Proxy, service: Deployment, engine: Engine): Promise<Deployment> {
  const folder = join(engine.folder, proxy.name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, proxy.file), proxy.around(blockOf(proxy.language), folder))
  const [program = '', ...args] = proxy.command(folder)
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } })
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    clearTimeout(timer)
  }
  try {
    await untilReady(URL, () => Promise.resolve(`${proxy.name} does not answer`), 20)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    ...service,
    name: `the unit behind ${proxy.name}`,
    url: URL,
    async restart() {
      await service.restart()
      // HAProxy notices by its next check.
      await untilReady(URL, () => service.log())
    },
    stop,
  }
}
