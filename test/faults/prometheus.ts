import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/service.ts'

/** A Prometheus server that reads one service every half second. */
export interface Prometheus {
  /** The value of an expression with one result; null if it has none. */
  value(expression: string): Promise<number | null>
  /** The names of alerts that fire or are about to. */
  alerts(): Promise<readonly string[]>
  stop(): Promise<void>
}

interface PrometheusAnswer {
  readonly data: {
    readonly result?: readonly { readonly value: readonly [number, string] }[]
    readonly alerts?: readonly { readonly labels: { readonly alertname: string } }[]
  }
}

export async function startPrometheus(target: number, rules: readonly string[] = []): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  const settings = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: rules,
    scrape_configs: [{ job_name: 'tain', static_configs: [{ targets: [`127.0.0.1:${target}`] }] }],
  }
  // YAML contains JSON.
  await writeFile(file, JSON.stringify(settings))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  )
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
  const isReady = () =>
    fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await Promise.race([until(isReady, 30, 'Prometheus starts'), failed])
  const ask = async (path: string) => {
    const response = await fetch(`${address}/api/v1/${path}`)
    const answer = (await response.json()) as PrometheusAnswer & { readonly error?: string }
    if (!response.ok) throw new Error(`Prometheus answers ${response.status}: ${answer.error}`)
    return answer.data
  }
  return {
    async value(expression) {
      const { result = [] } = await ask(`query?query=${encodeURIComponent(expression)}`)
      return result[0] === undefined ? null : Number(result[0].value[1])
    },
    alerts: async () => ((await ask('alerts')).alerts ?? []).map(({ labels }) => labels.alertname),
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs promtool and returns its exit code with everything that it printed. */
export const promtool = (
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const child = execFile('promtool', args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    )
    child.stdin?.end(input)
  })
