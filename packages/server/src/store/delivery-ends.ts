import type { Transaction } from '../sql/driver.ts'
import { REMOVED_AT_ONCE } from '../sql/service/service-dialect.ts'
import type { DeliveryAccess, DeliveryEnd, DeliveryStore, Noted, ReceiverChanges } from './delivery-store.ts'
import { idRows, markAnew, markNext, unmarkedItems } from './delivery-order.ts'
import { nextState, probeWait } from './receiver-state.ts'

type Ends = Pick<DeliveryStore, 'end' | 'removeOld' | 'giveUp' | 'markFirsts'>

export const endPart = (access: DeliveryAccess): Ends => ({
  end: (ends, noted) => access.transact((transaction) => writeEnds(access, ends, noted, transaction)),
  async removeOld() {
    const { statements, ask } = access
    const counts = [await ask(statements.removeDelivered), await ask(statements.removeDead)]
    return counts.some((rows) => Number(rows.at(-1)?.[0]) === REMOVED_AT_ONCE)
  },
  giveUp: (webhook, age) => access.transact((transaction) => giveUpSome(access, webhook, age, transaction)),
  async markFirsts(webhook, after) {
    const { statements, ask, transact } = access
    const { items, next } = await unmarkedItems(access, webhook, after)
    if (items.length === 0) return { count: 0, next }
    const count = await transact(async (transaction) => {
      await ask(statements.cursor, [webhook], transaction)
      return markAnew(access, webhook, items, transaction)
    })
    return { count, next }
  },
})

async function writeEnds(
  access: DeliveryAccess,
  ends: readonly DeliveryEnd[],
  { succeeded, probe }: Noted,
  transaction: Transaction,
): Promise<ReceiverChanges> {
  const { statements, ask } = access
  const byWebhook = Map.groupBy(ends, ({ delivery }) => delivery.webhook)
  const webhooks = JSON.stringify([...byWebhook.keys()].sort())
  // Nothing is added to these webhooks meanwhile, so no delivery is left without a mark.
  const locked = await ask(statements.receivers, [webhooks], transaction)
  await ask(statements.end, [JSON.stringify(ends.map(endRow))], transaction)
  for (const [webhook, those] of byWebhook) await passOn(access, webhook, those, transaction)
  const failed = webhooksOf(ends.filter(({ status }) => status !== 'delivered'))
  const dead = webhooksOf(ends.filter(({ status }) => status === 'dead'))
  if (succeeded.length > 0) await ask(statements.succeeded, [JSON.stringify(succeeded)], transaction)
  if (failed.length > 0) await ask(statements.failed, [JSON.stringify(failed)], transaction)
  if (dead.length > 0) await ask(statements.countDead, [JSON.stringify(dead)], transaction)
  const states = locked.map(([id, failures, failingFor]) =>
    stateAfter(
      {
        id: id ?? '',
        failures: Number(failures),
        failingFor: (failingFor ?? null) === null ? null : Number(failingFor),
      },
      byWebhook.get(id ?? '') ?? [],
      probe,
    ),
  )
  const changed = states.filter(({ isChanged }) => isChanged).map(({ row }) => row)
  if (changed.length > 0) await ask(statements.setReceivers, [JSON.stringify(changed)], transaction)
  return changesOf(states)
}

/** The next deliveries of items may be sent. One that is repeated steps back behind an earlier one that came in meanwhile. */
async function passOn(
  access: DeliveryAccess,
  webhook: string,
  ends: readonly DeliveryEnd[],
  transaction: Transaction,
): Promise<void> {
  const { statements, ask } = access
  const items = new Set(ends.map(({ delivery }) => delivery.item))
  const next = new Set(await markNext(access, webhook, [...items], transaction))
  const behind = ends.filter(({ status, delivery }) => status === 'waiting' && next.has(delivery.item))
  if (behind.length > 0) await ask(statements.unmark, [idRows(behind.map(({ delivery }) => delivery.id))], transaction)
}

interface Stored {
  readonly id: string
  readonly failures: number
  readonly failingFor: number | null
}

function stateAfter(stored: Stored, ends: readonly DeliveryEnd[], shortest: number) {
  const { id, failures: before, failingFor } = stored
  const answers = ends.map(({ receiver }) => receiver)
  const { failures, isFailing } = nextState(stored, answers)
  const wait = isFailing ? String(Math.round(probeWait(failingFor, shortest))) : null
  const row = { of_id: id, new_failures: String(failures), new_probe: wait }
  const isChanged = failures !== before || isFailing || failingFor !== null
  return { webhook: id, failingFor, isFailing, isChanged, row }
}

const changesOf = (states: readonly ReturnType<typeof stateAfter>[]): ReceiverChanges => ({
  failing: states.filter(({ failingFor, isFailing }) => failingFor === null && isFailing).map(({ webhook }) => webhook),
  recovered: states.flatMap(({ webhook, failingFor, isFailing }) =>
    failingFor === null || isFailing ? [] : [{ webhook, milliseconds: failingFor }],
  ),
})

async function giveUpSome(
  access: DeliveryAccess,
  webhook: string,
  age: number,
  transaction: Transaction,
): Promise<boolean> {
  const { statements, ask } = access
  await ask(statements.cursor, [webhook], transaction)
  const rows = await ask(statements.overdue, [webhook, String(age)], transaction)
  if (rows.length === 0) return false
  await ask(statements.giveUp, [idRows(rows.map(([id]) => id ?? ''))], transaction)
  await markNext(access, webhook, [...new Set(rows.map(([, item]) => item ?? ''))], transaction)
  await ask(statements.countDead, [JSON.stringify([webhook])], transaction)
  // The next deliveries of these items may have waited for as long.
  return true
}

const webhooksOf = (ends: readonly DeliveryEnd[]): readonly string[] => [
  ...new Set(ends.map(({ delivery }) => delivery.webhook)),
]

const endRow = ({ delivery: { id, fence, tries }, status, attempts, wait }: DeliveryEnd) => ({
  sent_id: id,
  sent_fence: String(fence),
  new_status: status,
  new_tries: String(tries + 1),
  new_attempts: attempts,
  new_wait: wait === null ? null : String(Math.round(wait)),
})
