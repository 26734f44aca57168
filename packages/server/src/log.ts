import type { Logger } from 'pino'
import type { Observe } from './observe.ts'

/** Observations → log lines. */
export function logObservation(logger: Logger): Observe {
  let told = ''
  return (observation) => {
    switch (observation.kind) {
      case 'schema-loaded': {
        const { collections, version, milliseconds, hidden } = observation
        logger.info({ collections, version, milliseconds: Math.round(milliseconds) }, 'structure read')
        const list = JSON.stringify(hidden)
        if (list === told) return
        told = list
        for (const entry of hidden) logger.warn(entry, 'not served')
        return
      }
      case 'poll-failed':
        logger.debug({ error: observation.error }, 'structure could not be checked')
        return
      case 'answer-outdated':
        logger.info(
          { had: observation.had, found: observation.found },
          'answer discarded, structure or rights have changed',
        )
        return
      case 'structure-changed':
        logger.info({ error: observation.error }, 'statement failed on a changed structure')
        return
      case 'structure-defined':
        logger.info(
          { statements: observation.statements, milliseconds: Math.round(observation.milliseconds) },
          'structure changed',
        )
        return
      case 'structure-busy':
        logger.info({ tries: observation.tries, error: observation.error }, 'structure is in use, trying again')
        return
      case 'structure-left':
        logger.warn({ error: observation.error }, 'what a change has put aside is cleared away later')
        return
      case 'structure-taken-back':
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
      case 'user-suspended':
        logger.warn({ user: observation.user }, 'user suspended after too many failed sign-ins')
        return
      case 'refresh-replayed':
        logger.warn({ user: observation.user }, 'a refresh token was used twice, its sessions have been ended')
        return
      case 'secret-unreadable':
        logger.error({ user: observation.user }, 'the second factor of a user cannot be read: SECRET has changed')
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
