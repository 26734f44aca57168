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
      case 'import-progress': {
        const { collection, rows, rate } = observation
        logger.info({ collection, rows, rate }, 'import')
      }
    }
  }
}
