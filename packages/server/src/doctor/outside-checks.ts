import { note, problem, warning } from './check.ts'
import type { DatabaseExamination, Finding, UntoldTable } from './check.ts'

/** Publications and a slot stay when EVENTS_OUTSIDE is changed; a slot makes the server keep its log. */
export async function outsideWrites({
  config,
  database,
  systemSchema,
}: DatabaseExamination): Promise<readonly Finding[]> {
  if (config.outside === 'logical' || config.outside === 'auto') return []
  const left = (await database.outside.logical?.leftovers({ slot: config.eventSlot, systemSchema })) ?? []
  if (left.length > 0)
    return [
      warning(
        `EVENTS_OUTSIDE is ${config.outside}, but the server still keeps its log for the slot "${config.eventSlot}".`,
        left.join(' '),
      ),
    ]
  if (config.outside === 'triggers' || config.eventsEnabled === false) return []
  return [
    note(
      'Subscribers and webhooks receive only writes through the service, not those of other programs.',
      'Set EVENTS_OUTSIDE to logical or triggers if they need those too (docs/outside-writes.md)',
    ),
  ]
}

const texts: Readonly<Record<UntoldTable['state'], string>> = {
  missing: 'has no trigger: writes of other programs to it are not told.',
  outdated: 'has a trigger for an older form of it: rows before and after a write of other programs are not told.',
}

export async function triggers({ config, untold }: DatabaseExamination): Promise<readonly Finding[]> {
  if (config.outside !== 'triggers') return []
  const found = await untold()
  if (found === null)
    return [problem('EVENTS_OUTSIDE is triggers, which cannot tell on this database.', 'Set EVENTS_OUTSIDE=none')]
  return found.map(({ table, state }) =>
    warning(`${table} ${texts[state]}`, 'Let an administrator run the output of tain events triggers'),
  )
}
