import type { Logger } from 'pino'
import type { Observe } from './observe.ts'

/** Observations → log lines. */
export function logObservation(logger: Logger): Observe {
  let told = ''
  return (observation) => {
    switch (observation.kind) {
      case 'schema-loaded': {
        const { collections, version, milliseconds, hidden, withoutTransactions } = observation
        logger.info({ collections, version, milliseconds: Math.round(milliseconds) }, 'structure read')
        const list = JSON.stringify([hidden, withoutTransactions])
        if (list === told) return
        told = list
        for (const entry of hidden) logger.warn(entry, 'not served')
        if (withoutTransactions.length > 0)
          logger.warn(
            { collections: withoutTransactions },
            'tables without transactions: only single rows of them can be written',
          )
        return
      }
      case 'names-given': {
        const { fields, displaced } = observation
        logger.info({ fields: fields.length }, 'names of inferred fields stored')
        if (displaced.length > 0)
          logger.warn({ displaced }, 'inferred fields renamed: a column or field has their name')
        return
      }
      case 'poll-failed':
        // Every request that meets an outage reports it; the poll would repeat it each second.
        logger[observation.isOutage ? 'debug' : 'warn']({ error: observation.error }, 'schema poll failed')
        return
      case 'answer-outdated':
        logger.info(
          { had: observation.had, found: observation.found },
          'answer discarded, structure or rights have changed',
        )
        return
      case 'statement-outdated':
        logger.info({ error: observation.error }, 'statement failed on a changed structure')
        return
      case 'schema-changed':
        logger.info(
          { statements: observation.statements, milliseconds: Math.round(observation.milliseconds) },
          'structure changed',
        )
        return
      case 'schema-busy':
        logger.info({ tries: observation.tries, error: observation.error }, 'structure is in use, trying again')
        return
      case 'cleanup-postponed':
        logger.warn({ error: observation.error }, 'what a change has put aside is cleared away later')
        return
      case 'undo-failed':
        logger.error(
          { object: observation.object, error: observation.error },
          'an unfinished schema change cannot be undone; schema changes are refused until it is',
        )
        return
      case 'change-undone':
        logger.warn({ objects: observation.objects }, 'what an unfinished change had prepared was taken back')
        return
      case 'import-progress': {
        const { collection, rows, rate } = observation
        logger.info({ collection, rows, rate }, 'import')
        return
      }
      case 'mail-sent':
        logger.info({ about: observation.about }, 'mail sent')
        return
      case 'mail-failed': {
        const { about, code, isGivenUp } = observation
        if (isGivenUp) logger.error({ about, code }, 'mail not sent, given up')
        else logger.warn({ about, code }, 'mail not sent, will be tried again')
        return
      }
      case 'mail-dropped':
        logger.warn({ about: observation.about, reason: observation.reason }, 'mail not sent')
        return
      case 'mails-lost':
        logger.warn({ count: observation.count }, 'mails were still waiting when the service ended')
        return
      case 'login-delayed':
        logger.warn({ user: observation.user, failures: observation.failures }, 'failed logins, the next are delayed')
        return
      case 'administrator-taken': {
        const { settings, isMade } = observation
        const what = isMade ? 'the administrator was made without it' : 'no administrator was made'
        logger.warn({ settings }, `there is a user with this setting already: ${what}`)
        return
      }
      case 'refresh-replayed':
        logger.warn({ user: observation.user }, 'a refresh token was used twice, its sessions have been ended')
        return
      case 'secret-unreadable':
        logger.error({ user: observation.user }, 'the second factor of a user cannot be read: SECRET has changed')
        return
      case 'permission-idle':
        logger.warn(
          { permission: observation.permission, names: observation.names },
          'a permission names what is not there',
        )
        return
      case 'permission-unusable':
        logger.warn(
          { permission: observation.permission, reason: observation.reason },
          'a permission cannot be used and lets nobody through',
        )
        return
      case 'secret-missing':
        logger.warn('SECRET is not set: a random one is used, and nobody stays signed in over a restart')
        return
      case 'setup-open':
        logger.warn(
          { token: observation.token, address: observation.address },
          'there is no administrator yet: make the first one with this token',
        )
    }
  }
}
