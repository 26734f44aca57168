// npm run verify events [-- --dialect mysql --changes 200000]
// Many writers, through several replicas and beside them. Replicas, programs and subscribers are killed at random: the log has
// every change, once, and in order, and subscribers are told all of it that they may see, and nothing else.
import type { TestDialect } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { chosenSeed } from '../random/cases.ts'
import { runCampaign } from './campaign.ts'

interface Events {
  readonly seed: number | null
  readonly changes: number
  readonly seconds: number
  /** Milliseconds between two kills. */
  readonly kill: number
  /** Rows of one request. */
  readonly batch: number
  readonly dialect: TestDialect
}

const LEAST_CHANGES = 101

export async function figures({ seed, kill, ...options }: Events): Promise<Figure[]> {
  const result = await runCampaign({
    ...options,
    seed: chosenSeed(seed),
    killEach: kill,
    writers: 16,
    replicas: 2,
    subscribers: 4,
  })
  const { different, torn, missed, forbidden, odd } = result
  for (const lines of [different, torn, missed, forbidden, odd]) if (lines.length > 0) console.log(lines.slice(0, 5))
  const none = { atMost: 0 }
  const some = { atLeast: 1 }
  const of = (what: string, value: number, bound?: Figure['bound']): Figure => ({
    what: `${options.dialect}: ${what}`,
    value,
    unit: '',
    ...(bound === undefined ? {} : { bound }),
  })
  return [
    of('changes in the log', result.changes, { atLeast: LEAST_CHANGES }),
    of('kills of replicas', result.kills, some),
    of('kills of other programs', result.programKills),
    of('breaks of subscribers', result.breaks, some),
    of('times that a subscriber was told to begin anew', result.anew),
    of('changes a second', result.changes / result.seconds),
    of('items whose changes were lost, invented or told out of order', different.length, none),
    of('created rows that were lost', result.lostNotes, none),
    of('created rows that were invented, or told twice', result.inventedNotes, none),
    of('positions that are missing', result.gaps, none),
    of('positions that were seen before earlier ones', result.overtaken, none),
    of('rows before that are not the row after the change before', torn.length, none),
    of('states told to subscribers', result.told, some),
    of('rows that a subscriber does not have as they are', missed.length, none),
    of('states told to others, invented, or older than one before', forbidden.length, none),
    of('unexpected responses', odd.length, none),
  ]
}
