import type { Logger } from 'pino'
import type { Observation, Observe } from './observe.ts'

type Of<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

/** Writes observations as log lines. */
export function logObservation(logger: Logger): Observe {
  const logNotServed = createLogNotServed(logger)
  return (observation) => {
    const line = lines[observation.kind] as (logger: Logger, observation: Observation) => void
    line(logger, observation)
    if (observation.kind === 'schema-loaded') logNotServed(observation)
  }
}

/** Lists the tables that are not served completely, and again only when the list has changed. */
function createLogNotServed(logger: Logger): (observation: Of<'schema-loaded'>) => void {
  let told = ''
  return ({ hidden, withoutTransactions }) => {
    const list = JSON.stringify([hidden, withoutTransactions])
    if (list === told) return
    told = list
    for (const entry of hidden) logger.warn(entry, 'not served')
    if (withoutTransactions.length > 0)
      logger.warn({ collections: withoutTransactions }, 'tables without transactions: only single rows can be written')
  }
}

const lines: { readonly [Kind in Observation['kind']]: (logger: Logger, observation: Of<Kind>) => void } = {
  'schema-loaded': (logger, { collections, version, milliseconds }) =>
    logger.info({ collections, version, milliseconds: Math.round(milliseconds) }, 'schema loaded'),
  'names-given': (logger, { fields, displaced }) => {
    logger.info({ fields: fields.length }, 'names of inferred fields stored')
    if (displaced.length > 0) logger.warn({ displaced }, 'inferred fields renamed: a column or field has the same name')
  },
  // Every request that meets an outage reports it; the poll would repeat the report every second.
  'poll-failed': (logger, { isOutage, error }) => logger[isOutage ? 'debug' : 'warn']({ error }, 'schema poll failed'),
  'answer-outdated': (logger, { had, found }) =>
    logger.info({ had, found }, 'response discarded, the schema or permissions have changed'),
  'statement-outdated': (logger, { error }) =>
    logger.info({ error }, 'statement failed because the schema has changed'),
  'statement-impossible': (logger, { error }) =>
    logger.error({ error }, 'statement failed because the database does not know a function, operator or type'),
  'statement-slow': (logger, { text, milliseconds }) =>
    logger.warn({ statement: text, milliseconds: Math.round(milliseconds * 10) / 10 }, 'slow statement'),
  // Counted only: there is one for each read.
  'reader-answered': () => undefined,
  'reader-behind': (logger) => logger.debug('a reader is behind, the primary was asked'),
  'reader-away': (logger) => logger.debug('no reader answers, the primary was asked'),
  'reader-outdated': (logger) => logger.debug('a reader could not be used, the primary was asked'),
  'statement-costly': (logger, { text, fingerprint, cost, limit, isRefused, isNew }) => {
    if (!isNew) return
    const line = { statement: text, fingerprint, cost: Math.round(cost), limit }
    logger.warn(line, isRefused ? 'statement refused for its cost' : 'statement above the cost limit')
  },
  'schema-changed': (logger, { statements, milliseconds }) =>
    logger.info({ statements, milliseconds: Math.round(milliseconds) }, 'schema changed'),
  'schema-busy': (logger, { tries, error }) =>
    logger.info({ tries, error }, 'a table is in use, retrying the schema change'),
  'cleanup-postponed': (logger, { error }) =>
    logger.warn({ error }, 'cleanup after a schema change failed and is postponed'),
  'undo-failed': (logger, { object, error }) =>
    logger.error(
      { object, error },
      'an unfinished schema change cannot be undone; schema changes are refused until it is',
    ),
  'change-undone': (logger, { objects }) => logger.warn({ objects }, 'an unfinished schema change was undone'),
  'import-progress': (logger, { collection, rows, rate }) => logger.info({ collection, rows, rate }, 'import'),
  'export-failed': (logger, { collection, error }) => logger.warn({ collection, error }, 'an export failed'),
  'storage-failed': (logger, { storage, place, reason }) =>
    logger.error({ storage, place, reason }, 'a storage of files is not available'),
  'objects-left': (logger, { count, error }) =>
    logger.warn({ count, error }, 'objects of files could not be removed; the sweep will'),
  'file-task-failed': (logger, { task, error }) =>
    logger.warn({ task, error }, 'work on files failed; it is tried again at its next time'),
  'epoch-renewed': (logger, { reason }) => logger.warn({ reason }, 'the log of changes begins a new epoch'),
  'event-task-failed': (logger, { task, error }) =>
    logger.warn({ task, error }, 'work on the log of changes failed; it is tried again'),
  'realtime-failed': (logger, { what, error }) => logger.error({ what, error }, 'realtime work failed'),
  'webhook-dead': (logger, { webhook, delivery }) =>
    logger.warn({ webhook, delivery }, 'a delivery to a webhook was given up; it can be sent again for 30 days'),
  'webhook-gone': (logger, { webhook }) =>
    logger.warn({ webhook }, 'a webhook was disabled, because its receiver answered 410'),
  'webhook-failing': (logger, { webhook }) =>
    logger.warn({ webhook }, 'the receiver of a webhook fails: one delivery at a time is tried until it takes one'),
  'webhook-recovered': (logger, { webhook, milliseconds }) =>
    logger.info(
      { webhook, milliseconds: Math.round(milliseconds) },
      'the receiver of a webhook takes deliveries again',
    ),
  'webhook-behind': (logger, { webhook, isNewEpoch }) =>
    logger.error(
      { webhook },
      isNewEpoch
        ? 'the log of changes began anew: changes before that may not have been delivered to a webhook'
        : 'changes left the log before they were delivered to a webhook: keep the log longer with EVENTS_RETENTION',
    ),
  'webhooks-failed': (logger, { error }) => logger.warn({ error }, 'work on webhooks failed; it is tried again'),
  'extension-said': (logger, { extension, level, message, details }) => logger[level]({ extension, details }, message),
  'extensions-loaded': (logger, { names }) => logger.info({ extensions: names }, 'extensions loaded'),
  'extension-unusable': (logger, { file, reason }) => logger.error({ file, reason }, 'an extension cannot be used'),
  'extension-idle': (logger, { extension, hook, reason }) =>
    logger.warn({ extension, hook, reason }, 'a hook of an extension never runs'),
  'extension-failed': (logger, { extension, hook, error }) =>
    logger.error({ extension, hook, error }, 'an extension failed'),
  'extension-retries': (logger, { extension, hook, position, tries, wait, error }) =>
    logger.warn({ extension, hook, position, tries, wait, error }, 'an extension failed, it gets the change again'),
  'extension-missed': (logger, { extension, hook, from, to }) =>
    logger.error({ extension, hook, from, to }, 'an extension was away too long, changes are no longer in the log'),
  'extension-delayed': (logger, { extension, error }) =>
    logger.warn({ extension, error }, 'actions of an extension wait: the log of changes cannot be read'),
  'mail-sent': (logger, { about }) => logger.info({ about }, 'mail sent'),
  'mail-failed': (logger, { about, code, isGivenUp }) => {
    if (isGivenUp) logger.error({ about, code }, 'mail not sent, given up')
    else logger.warn({ about, code }, 'mail not sent, will be retried')
  },
  'mail-dropped': (logger, { about, reason }) => logger.warn({ about, reason }, 'mail not sent'),
  'mails-lost': (logger, { count }) => logger.warn({ count }, 'mails were still waiting at shutdown'),
  'picture-made': (logger, { milliseconds }) =>
    logger.debug({ milliseconds: Math.round(milliseconds) }, 'variant of a picture made'),
  'picture-refused': (logger) => logger.warn('variant of a picture refused: too many are wished at once'),
  'picture-late': (logger) =>
    logger.warn('variant of a picture given up: it took longer than ASSETS_TRANSFORM_TIMEOUT'),
  'picture-crashed': (logger) => logger.warn('a decoder of pictures ended while it read a file; the service goes on'),
  'login-delayed': (logger, { user, failures }) =>
    logger.warn({ user, failures }, 'failed logins, further logins are delayed'),
  'administrator-taken': (logger, { settings, isMade }) => {
    const what = isMade ? 'the administrator was made without it' : 'no administrator was made'
    logger.warn({ settings }, `another user already has the value of this setting: ${what}`)
  },
  'refresh-replayed': (logger, { user }) =>
    logger.warn({ user }, 'a refresh token was used twice, all sessions of its login were ended'),
  'secret-unreadable': (logger, { user }) =>
    logger.error({ user }, 'the second factor of a user cannot be decrypted: SECRET has changed'),
  'permission-idle': (logger, { permission, names }) =>
    logger.warn({ permission, names }, 'a permission names what is not there'),
  'permission-unusable': (logger, { permission, reason }) =>
    logger.warn({ permission, reason }, 'a permission cannot be used and grants no access'),
  'schemas-closed': (logger, { schemas }) =>
    logger.warn({ schemas }, 'schemas that the role may not use are not served'),
  'row-security': (logger, { subject, bypassed }) => {
    if (subject.length > 0)
      logger.warn({ tables: subject }, 'row level security applies to the role of the service: rows may be missing')
    if (bypassed.length > 0)
      logger.warn(
        { tables: bypassed },
        'the role of the service bypasses row level security: its policies hide nothing',
      )
  },
  'setting-unknown': (logger, { name, meant }) =>
    logger.warn({ name, meant }, 'a variable of the environment is no setting, and nearly one'),
  'secret-missing': (logger) =>
    logger.warn('SECRET is not set: a random one is used, and a restart logs out all users'),
  'redis-down': (logger, { reason }) => logger.warn({ reason }, 'redis is unavailable, continuing without it'),
  'redis-up': (logger, { milliseconds }) =>
    logger.info({ milliseconds: Math.round(milliseconds) }, 'redis is connected'),
  'types-renamed': (logger, { changed }) => logger.info({ changed }, 'collections that go by another name in GraphQL'),
  'outage-began': (logger, { reason }) =>
    logger.error({ reason }, 'the database is away, requests are refused until it is back'),
  'outage-ended': (logger, { milliseconds, refused }) =>
    logger.warn({ milliseconds: Math.round(milliseconds), refused }, 'the database is back'),
  'overload-began': (logger, { inFlight, wait }) =>
    logger.warn({ inFlight, wait: Math.round(wait) }, 'too many requests are under way, others are refused'),
  'overload-ended': (logger, { milliseconds, refused }) =>
    logger.warn({ milliseconds: Math.round(milliseconds), refused }, 'requests are no longer refused'),
  'outside-began': (logger, { slot }) => logger.info({ slot }, 'writes of other programs are heard'),
  'outside-off': (logger) =>
    logger.info('writes of other programs are not sent to subscribers and webhooks; EVENTS_OUTSIDE turns that on'),
  'outside-refused': (logger, { reason, statements }) =>
    logger.warn({ reason, statements }, 'writes of other programs are not heard'),
  'outside-unbounded': (logger) =>
    logger.warn('max_slot_wal_keep_size is not set: while nobody reads the slot, it can fill the disk of the server'),
  'outside-unheard': (logger, { tables }) =>
    logger.warn({ tables }, 'writes of other programs to tables are not heard'),
  'outside-lost': (logger, { reason }) =>
    logger.error({ reason }, 'changes of other programs were lost: a new epoch begins, and clients read anew'),
  'outside-failed': (logger, { error }) =>
    logger.warn({ error }, 'writes of other programs cannot be heard at the moment; it is tried again'),
  'setup-open': (logger, { token, address }) =>
    logger.warn({ token, address }, 'there is no administrator yet: create the first one with this token'),
}
