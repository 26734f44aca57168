// podman with its images, volumes, networks and settings in one folder, so that the machine's own are not touched.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string
}

export interface Engine {
  readonly folder: string
  /** For every program that calls podman. */
  readonly environment: NodeJS.ProcessEnv
  podman(args: readonly string[], options?: RunOptions): Promise<string>
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>
}

// runc, because crun refuses control groups of version 1; limits that also a machine inside a container permits; locks in
// files, because shared memory would outlive the folder.
const engineSettings = (folder: string) => `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
tmp_dir = "${folder}/tmp/libpod"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`
const storageSettings = (folder: string) => `[storage]
driver = "overlay"
graphroot = "${folder}/storage"
runroot = "${folder}/run"
`

export function engineIn(folder: string): Engine {
  for (const name of ['tmp', 'networks']) mkdirSync(join(folder, name), { recursive: true })
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const environment = {
    ...process.env,
    CONTAINERS_CONF: write('containers.conf', engineSettings(folder)),
    CONTAINERS_STORAGE_CONF: write('storage.conf', storageSettings(folder)),
    CONTAINERS_REGISTRIES_CONF: write('registries.conf', 'unqualified-search-registries = ["docker.io"]\n'),
    TMPDIR: join(folder, 'tmp'),
  }
  const run: Engine['run'] = (program, args, options) => outputOf(program, args, { env: environment, ...options })
  return { folder, environment, run, podman: (args, options) => run('podman', args, options) }
}

/** Removes all but the images. */
export async function clear(engine: Engine): Promise<void> {
  for (const kind of ['pod', 'container', 'volume']) await engine.podman([kind, 'rm', '--all', '--force'])
  await engine.podman(['secret', 'rm', '--all'])
  await engine.podman(['network', 'prune', '--force'])
}

interface ProcessOptions extends RunOptions {
  readonly env?: NodeJS.ProcessEnv
}

/** The standard output of a program; its failure has the end of all that it printed. */
export async function outputOf(
  program: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<string> {
  const { input, ...rest } = options
  const child = spawn(program, args, { ...rest, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
  let output = ''
  let everything = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    everything += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (everything += text))
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return output
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${everything.slice(-4000)}`)
}
