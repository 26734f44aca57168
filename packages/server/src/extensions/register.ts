import { ServiceError } from '@tain/contract'
import { parseSchedule } from '../lib/schedule.ts'
import type { Observe } from '../observe.ts'
import type { Api, EndpointMethod, EventAction, Extension, FilterAction, Log, RefusalCode } from './api.ts'
import type { ActionHook, FilterHook, RegisteredExtension, ScheduledJob, ServedEndpoint } from './registered.ts'

const filterActions: Readonly<Record<FilterAction, true>> = { create: true, update: true, delete: true }
const eventActions: Readonly<Record<EventAction, true>> = { ...filterActions, truncate: true }
const methods: Readonly<Record<EndpointMethod, true>> = { GET: true, POST: true, PUT: true, PATCH: true, DELETE: true }
const refusalCodes: Readonly<Record<RefusalCode, true>> = {
  FAILED_VALIDATION: true,
  INVALID_PAYLOAD: true,
  INVALID_QUERY: true,
  FORBIDDEN: true,
  ROUTE_NOT_FOUND: true,
  PRECONDITION_FAILED: true,
  UNPROCESSABLE_CONTENT: true,
  REQUESTS_EXCEEDED: true,
  SERVICE_UNAVAILABLE: true,
}

/** Names of extensions and jobs are parts of addresses and of keys. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/u
const SEGMENT = /^(?::[A-Za-z][A-Za-z0-9_]*|[A-Za-z0-9._~-]+)$/u

interface Registering {
  readonly api: Api
  readonly registered: RegisteredExtension
  readonly end: () => void
}

/** Runs the code of an extension that registers its hooks. Plain errors tell what is wrong with it. */
export async function registerExtension(
  name: string,
  extension: Extension,
  observe: Observe,
): Promise<RegisteredExtension> {
  const { api, registered, end } = registering(name, observe)
  await extension.register(api)
  end()
  return registered
}

/** An extension is written in JavaScript too, so everything is checked. */
function registering(name: string, observe: Observe): Registering {
  const filters: FilterHook[] = []
  const actions: ActionHook[] = []
  const jobs: ScheduledJob[] = []
  const endpoints: ServedEndpoint[] = []
  let hasEnded = false
  const add = <T>(list: T[], make: () => T) => {
    if (hasEnded) throw new Error('Hooks can only be registered while the extension is loaded.')
    list.push(make())
  }
  const api: Api = {
    name,
    log: logOf(name, observe),
    filter: (collection, wanted, run) =>
      add(filters, () => ({ ...hookOf('filter', collection, wanted, filterActions), run: codeOf('filter', run) })),
    action: (collection, wanted, run) =>
      add(actions, () => {
        const earlier = actions.filter((hook) => hook.collection === collection).length
        const cursor = `${name} ${collection} ${earlier + 1}`
        return { ...hookOf('action', collection, wanted, eventActions), cursor, run: codeOf('action', run) }
      }),
    job: (job, schedule, run, options) =>
      add(jobs, () => ({
        ...jobOf(job, schedule, jobs),
        timeout: timeOf(options?.timeout ?? null),
        run: codeOf('job', run),
      })),
    endpoint: (method, path, run) =>
      add(endpoints, () => ({ ...endpointOf(method, path, endpoints), run: codeOf('endpoint', run) })),
    refuse: (message, code = 'UNPROCESSABLE_CONTENT') => {
      if (!Object.hasOwn(refusalCodes, code)) throw new TypeError(`"${code}" is no code of a refusal.`)
      return new ServiceError(code, message, { extension: name })
    },
  }
  return { api, registered: { name, filters, actions, jobs, endpoints }, end: () => (hasEnded = true) }
}

function codeOf<T>(kind: string, code: T): T {
  if (typeof code !== 'function') throw new TypeError(`The last argument of ${kind} has to be a function.`)
  return code
}

function hookOf<A extends string>(
  kind: string,
  collection: string,
  wanted: readonly A[],
  known: Readonly<Record<A, true>>,
): { readonly collection: string; readonly actions: ReadonlySet<A> } {
  if (typeof collection !== 'string' || collection === '')
    throw new TypeError(`The first argument of ${kind} has to be the name of a collection.`)
  const isKnown = Array.isArray(wanted) && wanted.length > 0 && wanted.every((action) => Object.hasOwn(known, action))
  if (!isKnown)
    throw new TypeError(`The second argument of ${kind} has to be a list of ${Object.keys(known).join(', ')}.`)
  return { collection, actions: new Set(wanted) }
}

function jobOf(name: string, text: string, others: readonly ScheduledJob[]): Pick<ScheduledJob, 'name' | 'schedule'> {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError('The name of a job has lower-case letters, digits, - and _.')
  if (others.some((job) => job.name === name)) throw new TypeError(`There are two jobs "${name}".`)
  const schedule = typeof text === 'string' ? parseSchedule(text) : null
  if (schedule === null) throw new TypeError(`The schedule of job "${name}" is no cron text, such as "0 3 * * *".`)
  return { name, schedule }
}

function timeOf(timeout: number | null): number | null {
  if (timeout === null || (Number.isInteger(timeout) && timeout > 0)) return timeout
  throw new TypeError('The timeout of a job is a number of milliseconds.')
}

function endpointOf(
  method: EndpointMethod,
  path: string,
  others: readonly ServedEndpoint[],
): Pick<ServedEndpoint, 'method' | 'path'> {
  if (typeof path !== 'string') throw new TypeError('The path of an endpoint is a text.')
  if (!Object.hasOwn(methods, method))
    throw new TypeError(`The method of an endpoint is one of ${Object.keys(methods).join(', ')}.`)
  const [first, ...segments] = path.split('/')
  const parts = segments.length === 1 && segments[0] === '' ? [] : segments
  if (first !== '' || !parts.every((part) => SEGMENT.test(part)))
    throw new TypeError(`"${path}" is no path of an endpoint, such as "/orders/:id".`)
  const shape = (of: readonly string[]) => of.map((part) => (part.startsWith(':') ? ':' : part)).join('/')
  if (others.some((other) => other.method === method && shape(other.path) === shape(parts)))
    throw new TypeError(`There are two endpoints ${method} ${path}.`)
  return { method, path: parts }
}

const logOf = (extension: string, observe: Observe): Log => {
  const write = (level: keyof Log) => (message: string, details?: Readonly<Record<string, unknown>>) =>
    observe({ kind: 'extension-said', extension, level, message, details: details ?? {} })
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
