import type { Engine } from '../../packages/server/src/engine/engine.ts'
import type { Watch } from '../../packages/server/src/engine/watch.ts'
import type { EventLog } from '../../packages/server/src/events/event-log.ts'
import type { LoggedChange } from '../../packages/server/src/events/logged-change.ts'
import type { Mutation } from './stage.ts'

const watching = (engine: Engine, change: (watch: Watch) => Partial<Watch>): Engine => ({
  ...engine,
  watch: { ...engine.watch, ...change(engine.watch) },
})

/** Whatever is read of the log lacks some changes. */
const reading = (log: EventLog, keep: (changes: readonly LoggedChange[]) => readonly LoggedChange[]): EventLog => ({
  ...log,
  changes: async (query) => keep(await log.changes(query)),
  following: async (after) => {
    const found = await log.following(after)
    return { ...found, changes: keep(found.changes) }
  },
})

/** Ways in which a hub goes wrong, each in one place. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'deletes are told to all': (engine, log) => ({
    log,
    engine: watching(engine, () => ({
      images: async (_, images) => {
        const all = new Set(images.keys())
        return { shown: all, keys: all, unknown: new Set() }
      },
    })),
  }),
  'keys are told to all': (engine, log) => ({
    log,
    engine: watching(engine, (watch) => ({
      rows: async (view, keys) => {
        const rows = await watch.rows(view, keys)
        return typeof rows === 'string' ? rows : rows.map((row) => ({ ...row, isKeyShown: true }))
      },
      images: async (view, images) => {
        const judged = await watch.images(view, images)
        return typeof judged === 'string' ? judged : { ...judged, keys: judged.shown }
      },
    })),
  }),
  'rights are stale': (engine, log) => ({
    log,
    engine: watching(engine, () => ({
      renew: async (actor, stamp) =>
        actor.permissionVersion === null ? actor : { ...actor, permissionVersion: Number(stamp.split('.')[1]) },
    })),
  }),
  'the index decides': (engine, log) => ({
    log,
    engine: watching(engine, ({ view }) => ({
      view: (actor, read) => ({ ...view(actor, read), fixedValues: [{ field: 'score', values: new Set(['1']) }] }),
    })),
  }),
  'the cursor passes what is committed late': (engine, log) => ({
    engine,
    log: reading(log, (found) => found.filter(({ position }) => position % 7 !== 0)),
  }),
  'merging drops what was between': (engine, log) => ({
    engine,
    log: reading(log, (found) =>
      found.filter(({ key }, index) => !found.slice(0, index).some((earlier) => earlier.key === key)),
    ),
  }),
}
