/** Statements of a write, by what they do. */
export const writeSteps = [
  'claim',
  'claimed',
  'read',
  'match',
  'find',
  'lock',
  'check',
  'leaving',
  'create',
  'single-statement-create',
  'advance',
  'update',
  'join',
  'largest',
  'remove',
  'delete',
  'record',
  'outbox',
  'answered',
] as const
export type WriteStep = (typeof writeSteps)[number]

/** Statements of a schema or metadata change. */
const schemaSteps = [
  'journal',
  'prepare',
  'take-back',
  'define',
  'put',
  'update',
  'remove',
  'bump',
  'clear-away',
] as const
export type SchemaStep = (typeof schemaSteps)[number]

/** Steps of bringing content in and of taking it away. */
const fileSteps = ['store', 'row', 'remove', 'piece', 'finish'] as const
export type FileStep = (typeof fileSteps)[number]

/** Steps from a committed change to its place in the log. */
const eventSteps = ['sequence', 'tail'] as const
export type EventStep = (typeof eventSteps)[number]

/** Steps of taking over a change from the log of the database. */
const outsideSteps = ['before-append', 'appended', 'confirmed'] as const

/** Steps of bringing changes to webhooks. */
export const webhookSteps = ['gather', 'take', 'send', 'end'] as const
export type WebhookStep = (typeof webhookSteps)[number]

export type Failpoint =
  | `write.${'begun' | 'before-commit' | 'committed'}`
  | `write.${'before' | 'after'}-${WriteStep}`
  | `schema.${'before-commit' | 'committed'}`
  | `schema.${'before' | 'after'}-${SchemaStep}`
  | `files.${'before' | 'after'}-${FileStep}`
  | `events.${'before' | 'after'}-${EventStep}`
  | `outside.${(typeof outsideSteps)[number]}`
  | `webhooks.${'before' | 'after'}-${WebhookStep}`

/** Every point of the program that can be made to fail; tests go through all of them. */
export const failpoints: readonly Failpoint[] = [
  'write.begun',
  ...writeSteps.flatMap((step) => [`write.before-${step}`, `write.after-${step}`] as const),
  'write.before-commit',
  'write.committed',
  ...schemaSteps.flatMap((step) => [`schema.before-${step}`, `schema.after-${step}`] as const),
  'schema.before-commit',
  'schema.committed',
  ...fileSteps.flatMap((step) => [`files.before-${step}`, `files.after-${step}`] as const),
  ...eventSteps.flatMap((step) => [`events.before-${step}`, `events.after-${step}`] as const),
  ...outsideSteps.map((step) => `outside.${step}` as const),
  ...webhookSteps.flatMap((step) => [`webhooks.before-${step}`, `webhooks.after-${step}`] as const),
]

/** Parts of the service take null in its place, as they do in the published program. */
export interface Failpoints {
  hit(name: Failpoint): Promise<void>
}

/** Runs one step between its two failpoints. */
export async function between<T>(
  points: Failpoints | null,
  before: Failpoint,
  after: Failpoint,
  work: () => Promise<T>,
): Promise<T> {
  if (points === null) return work()
  await points.hit(before)
  const result = await work()
  await points.hit(after)
  return result
}
