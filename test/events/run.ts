// npm run verify events [-- --dialect mysql --changes 200000]
// Many writers, through several replicas and beside them. Replicas, programs and subscribers are killed at random: the log has
// every change, once, and in order, and subscribers are told all of it that they may see, and nothing else.
import { parseArgs } from 'node:util'
import { isTestDialect } from '../lib/databases.ts'
import { prove, type Figure } from '../measurements/service.ts'
import { runCampaign } from './campaign.ts'

/** A tenth of what is asked for changes no row, because another writer has removed it: a million, and 200,000 of the others. */
const sizes = { postgres: 1_100_000, mysql: 225_000, sqlite: 225_000 } as const

await prove('events', async () => {
  const { values } = parseArgs({
    options: {
      dialect: { type: 'string', default: 'postgres,mysql,sqlite' },
      changes: { type: 'string' },
      seconds: { type: 'string', default: '3600' },
      kill: { type: 'string', default: '1500' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
    },
  })
  const figures: Figure[] = []
  for (const dialect of values.dialect.split(',').filter(isTestDialect)) {
    const result = await runCampaign({
      dialect,
      changes: Number(values.changes ?? sizes[dialect]),
      writers: 16,
      replicas: 2,
      subscribers: 4,
      killEach: Number(values.kill),
      seconds: Number(values.seconds),
      batch: 40,
      seed: Number(values.seed),
    })
    console.log(
      `${dialect}, seed ${values.seed}:`,
      result.different.slice(0, 5),
      result.torn.slice(0, 5),
      result.missed.slice(0, 5),
      result.forbidden.slice(0, 5),
      result.odd.slice(0, 5),
    )
    const none = { atMost: 0 }
    const of = (what: string, value: number, bound?: Figure['bound']): Figure => ({
      what: `${dialect}: ${what}`,
      value,
      unit: '',
      ...(bound === undefined ? {} : { bound }),
    })
    figures.push(
      of('changes in the log', result.changes),
      of('kills of replicas', result.kills),
      of('kills of other programs', result.programKills),
      of('breaks of subscribers', result.breaks),
      of('times that a subscriber was told to begin anew', result.anew),
      of('changes a second', result.changes / result.seconds),
      of('items whose changes were lost, invented or told out of order', result.different.length, none),
      of('created rows that were lost', result.lostNotes, none),
      of('created rows that were invented, or told twice', result.inventedNotes, none),
      of('positions that are missing', result.gaps, none),
      of('positions that were seen before earlier ones', result.overtaken, none),
      of('rows before that are not the row after the change before', result.torn.length, none),
      of('states told to subscribers', result.told),
      of('rows that a subscriber does not have as they are', result.missed.length, none),
      of('states told to others, invented, or older than one before', result.forbidden.length, none),
      of('unexpected responses', result.odd.length, none),
    )
  }
  return figures
})
