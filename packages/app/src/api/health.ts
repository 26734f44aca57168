import { apiPath } from './address.ts'

export interface HealthCheck {
  readonly status: string
  readonly observedValue?: unknown
  readonly observedUnit?: string
}

export interface Health {
  readonly status: string
  readonly releaseId?: string
  readonly checks?: Readonly<Record<string, readonly HealthCheck[]>>
}

/** The health of the service. It answers 503 when something is wrong, with the same body, and without an envelope. */
export async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch(apiPath('/server/health'), { credentials: 'same-origin', signal })
  return (await response.json()) as Health
}
