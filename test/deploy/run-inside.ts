// What run.ts starts inside its namespaces: node run-inside.ts <folder>. Tries every deployment and prints the table.
import { startChartPod } from './chart-pod.ts'
import { startCompose } from './compose.ts'
import type { Deployment } from './deployment.ts'
import { clear, engineIn, outputOf } from './engine.ts'
import { type Outcome, steps, travel } from './journey.ts'
import { proxies, startBehind } from './proxies.ts'
import { startUnit } from './unit.ts'

const engine = engineIn(process.argv[2] ?? '')
const outcomes: { readonly name: string; readonly outcome: Outcome }[] = []

async function attempt(deployment: Deployment): Promise<void> {
  const began = performance.now()
  const outcome = await travel(deployment)
  outcomes.push({ name: deployment.name, outcome })
  console.log(`${deployment.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const failed = steps.filter((step) => outcome[step] !== 'ok')
  if (failed.length > 0) console.log(await deployment.log())
}

/** A deployment that does not even start has failed in every step. */
async function attempted(
  name: string,
  start: () => Promise<Deployment>,
  more?: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  try {
    const deployment = await start()
    try {
      await attempt(deployment)
      await more?.(deployment)
    } finally {
      await deployment.stop()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    outcomes.push({ name, outcome: Object.fromEntries(steps.map((step) => [step, reason])) as Outcome })
  }
}

await outputOf('ip', ['link', 'set', 'lo', 'up'])
await clear(engine)
await attempted('compose.yaml', () => startCompose(engine))
await attempted("the chart's pod", () => startChartPod(engine))
await attempted(
  'the systemd unit',
  () => startUnit(engine),
  async (unit) => {
    for (const proxy of proxies) await attempted(proxy.name, () => startBehind(proxy, unit, engine))
  },
)

const isOk = outcomes.every(({ outcome }) => steps.every((step) => outcome[step] === 'ok'))
for (const { name, outcome } of outcomes)
  for (const step of steps) if (outcome[step] !== 'ok') console.log(`${name}, ${step}: ${outcome[step]}`)
console.log(`\n| Deployment | ${steps.join(' | ')} |\n|---|${steps.map(() => '---|').join('')}`)
for (const { name, outcome } of outcomes)
  console.log(`| ${name} | ${steps.map((step) => (outcome[step] === 'ok' ? 'ok' : 'failed')).join(' | ')} |`)
// Also if something of a failed deployment still runs.
process.exit(isOk ? 0 : 1)
