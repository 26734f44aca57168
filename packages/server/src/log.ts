import type { Logger } from 'pino'
import type { Observe } from './observe.ts'

/** Writes observations as log lines. */
export function logObservation(logger: Logger): Observe {
  let told = ''
  return (observation) => {
    switch (observation.kind) {
      case 'schema-loaded': {
        const { collections, version, milliseconds, hidden, withoutTransactions } = observation
        logger.info({ collections, version, milliseconds: Math.round(milliseconds) }, 'schema loaded')
        const list = JSON.stringify([hidden, withoutTransactions])
        if (list === told) return
        told = list
        for (const entry of hidden) logger.warn(entry, 'not served')
        if (withoutTransactions.length > 0)
          logger.warn(
            { collections: withoutTransactions },
            'tables without transactions: only single rows can be written',
          )
        return
      }
      case 'names-given': {
        const { fields, displaced } = observation
        logger.info({ fields: fields.length }, 'names of inferred fields stored')
        if (displaced.length > 0)
          logger.warn({ displaced }, 'inferred fields renamed: a column or field has the same name')
        return
      }
      case 'poll-failed':
        // Every request that meets an outage reports it; the poll would repeat the report every second.
        logger[observation.isOutage ? 'debug' : 'warn']({ error: observation.error }, 'schema poll failed')
        return
      case 'answer-outdated':
        logger.info(
          { had: observation.had, found: observation.found },
          'response discarded, the schema or permissions have changed',
        )
        return
      case 'statement-outdated':
        logger.info({ error: observation.error }, 'statement failed because the schema has changed')
        return
      case 'schema-changed':
        logger.info(
          { statements: observation.statements, milliseconds: Math.round(observation.milliseconds) },
          'schema changed',
        )
        return
      case 'schema-busy':
        logger.info(
          { tries: observation.tries, error: observation.error },
          'a table is in use, retrying the schema change',
        )
        return
      case 'cleanup-postponed':
        logger.warn({ error: observation.error }, 'cleanup after a schema change failed and is postponed')
        return
      case 'undo-failed':
        logger.error(
          { object: observation.object, error: observation.error },
          'an unfinished schema change cannot be undone; schema changes are refused until it is',
        )
        return
      case 'change-undone':
        logger.warn({ objects: observation.objects }, 'an unfinished schema change was undone')
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
        else logger.warn({ about, code }, 'mail not sent, will be retried')
        return
      }
      case 'mail-dropped':
        logger.warn({ about: observation.about, reason: observation.reason }, 'mail not sent')
        return
      case 'mails-lost':
        logger.warn({ count: observation.count }, 'mails were still waiting at shutdown')
        return
      case 'login-delayed':
        logger.warn(
          { user: observation.user, failures: observation.failures },
          'failed logins, further logins are delayed',
        )
        return
      case 'administrator-taken': {
        const { settings, isMade } = observation
        const what = isMade ? 'the administrator was made without it' : 'no administrator was made'
        logger.warn({ settings }, `another user already has the value of this setting: ${what}`)
        return
      }
      case 'refresh-replayed':
        logger.warn({ user: observation.user }, 'a refresh token was used twice, all sessions of its login were ended')
        return
      case 'secret-unreadable':
        logger.error({ user: observation.user }, 'the second factor of a user cannot be decrypted: SECRET has changed')
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
          'a permission cannot be used and grants no access',
        )
        return
      case 'secret-missing':
        logger.warn('SECRET is not set: a random one is used, and a restart logs out all users')
        return
      case 'setup-open':
        logger.warn(
          { token: observation.token, address: observation.address },
          'there is no administrator yet: create the first one with this token',
        )
    }
  }
}
