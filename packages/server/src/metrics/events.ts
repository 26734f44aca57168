import type { Observation } from '../observe.ts'

/** How many of a kind of event an observation stands for. */
type Counted<Kind extends Observation['kind']> = (observation: Extract<Observation, { kind: Kind }>) => number

const one = () => 1

/** Every kind of observation is counted, under its own name. */
const counted: { readonly [Kind in Observation['kind']]: Counted<Kind> } = {
  'schema-loaded': one,
  'names-given': ({ fields }) => fields.length,
  'poll-failed': one,
  'answer-outdated': one,
  'statement-outdated': one,
  'statement-slow': one,
  'reader-answered': one,
  'reader-behind': one,
  'reader-away': one,
  'reader-outdated': one,
  'statement-costly': one,
  'schema-changed': one,
  'schema-busy': one,
  'cleanup-postponed': one,
  'undo-failed': one,
  'change-undone': one,
  'import-progress': one,
  'export-failed': one,
  'objects-left': ({ count }) => count,
  'file-task-failed': one,
  'epoch-renewed': one,
  'event-task-failed': one,
  'realtime-failed': one,
  'webhook-dead': one,
  'webhook-gone': one,
  'webhook-behind': one,
  'webhooks-failed': one,
  'extension-said': one,
  'extensions-loaded': one,
  'extension-unusable': one,
  'extension-idle': one,
  'extension-failed': one,
  'extension-retries': one,
  'extension-missed': one,
  'extension-delayed': one,
  'mail-sent': one,
  'mail-failed': one,
  'mail-dropped': one,
  'mails-lost': ({ count }) => count,
  'picture-made': one,
  'picture-refused': one,
  'picture-late': one,
  'picture-crashed': one,
  'login-delayed': one,
  'administrator-taken': one,
  'refresh-replayed': one,
  'secret-unreadable': one,
  'permission-idle': one,
  'permission-unusable': one,
  'secret-missing': one,
  'redis-down': one,
  'redis-up': one,
  'types-renamed': ({ changed }) => changed.length,
  'setup-open': one,
  'outside-began': one,
  'outside-refused': one,
  'outside-unbounded': one,
  'outside-unheard': ({ tables }) => tables.length,
  'outside-lost': one,
  'outside-failed': one,
  'outage-began': one,
  'outage-ended': one,
  'overload-began': one,
  'overload-ended': one,
}

export const eventKinds = Object.keys(counted) as readonly Observation['kind'][]

export const countOf = (observation: Observation): number =>
  (counted[observation.kind] as (observation: Observation) => number)(observation)
