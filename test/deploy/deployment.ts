import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from './engine.ts'

/** A service that runs the way a page describes. */
export interface Deployment {
  readonly name: string
  readonly url: string
  /** The address of this machine, where the service finds receivers of webhooks. */
  readonly receiverHost: string
  /** Any free port if missing. */
  readonly receiverPort?: number
  /** Ends every process of the deployment, and starts it again on what it keeps. */
  restart(): Promise<void>
  log(): Promise<string>
  stop(): Promise<void>
}

export const administrator = { email: 'admin@example.com', password: 'the password of the first administrator' }
export const adminToken = 'the-token-of-the-first-administrator'
export const secret = 'the-secret-of-this-run-that-is-long-enough'
export const databasePassword = 'letters0and1digits'

/** Of the networks that podman makes; receivers of webhooks have to be allowed there. */
export const NETWORKS = '10.89.0.0/16'

export async function untilReady(url: string, log: () => Promise<string>, seconds = 90): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await answers(`${url}/server/ready`))) {
    if (Date.now() > deadline) throw new Error(`${url} is not ready after ${seconds} s:\n${await log()}`)
    await sleep(100)
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/** The address of this machine in a network of podman. */
export async function gatewayOf(engine: Engine, network: string): Promise<string> {
  const [found] = JSON.parse(await engine.podman(['network', 'inspect', network])) as readonly Network[]
  const gateway = found?.subnets[0]?.gateway
  if (gateway === undefined) throw new Error(`the network ${network} has no gateway`)
  return gateway
}

interface Network {
  readonly subnets: readonly { readonly gateway: string }[]
}
