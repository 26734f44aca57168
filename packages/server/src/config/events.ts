import { asDuration, asFlag, asSize, fail, oneOf, type Rows } from './readers.ts'

/** How writes of other programs are heard. */
export type OutsideMode = 'auto' | 'logical' | 'triggers' | 'none'

/** `auto`: with sockets, or as long as there is a webhook. */
export type EventsEnabled = 'auto' | boolean

/** `interest`: only collections that somebody listens to. */
export type EventsCapture = 'interest' | 'all'

/** The log of changes. */
export interface EventsConfig {
  readonly eventsEnabled: EventsEnabled
  readonly eventsCapture: EventsCapture
  readonly eventsRetention: number
  readonly eventsRetentionSize: number
  readonly outside: OutsideMode
  readonly eventSlot: string
  readonly isSlotUnbounded: boolean
}

export const eventsSettings: Rows<EventsConfig> = {
  eventsEnabled: {
    name: 'EVENTS_ENABLED',
    fallback: 'auto',
    read: (text) => (text === 'auto' ? 'auto' : asFlag(text, 'true, false or auto')),
    what: 'keep the log of changes; auto: with WEBSOCKETS_ENABLED, or as long as there is a webhook',
  },
  eventsCapture: {
    name: 'EVENTS_CAPTURE',
    fallback: 'interest',
    read: oneOf('interest', 'all'),
    what: 'whose changes are kept: those of collections that somebody listens to, or all',
  },
  eventsRetention: {
    name: 'EVENTS_RETENTION',
    fallback: 86_400_000,
    read: asDuration,
    what: 'how long changes are kept, so that clients can go on from a position',
  },
  eventsRetentionSize: {
    name: 'EVENTS_RETENTION_SIZE',
    fallback: 2 * 1024 ** 3,
    read: asSize,
    what: 'how large the log may become; older changes are then removed earlier',
  },
  outside: {
    name: 'EVENTS_OUTSIDE',
    fallback: 'none',
    read: oneOf('auto', 'logical', 'triggers', 'none'),
    what: 'how writes of other programs reach subscribers and webhooks: none, logical (the log of PostgreSQL or MariaDB), triggers (see tain events triggers); auto: logical where the database and the role allow it, else none',
  },
  eventSlot: {
    name: 'EVENTS_SLOT',
    fallback: 'tain',
    read: (text) =>
      /^[a-z0-9_]{1,50}$/u.test(text) ? text : fail('has to have small letters, digits and underscores, at most 50'),
    what: 'name of the replication slot and of the publication on PostgreSQL; every database of a server needs its own',
  },
  isSlotUnbounded: {
    name: 'EVENTS_SLOT_UNBOUNDED',
    fallback: false,
    read: asFlag,
    what: 'let the slot keep any amount of log while nobody reads it, although that can fill the disk of the server',
  },
}
