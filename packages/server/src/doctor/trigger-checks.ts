import { problem, warning, type DatabaseExamination, type Finding, type UntoldTable } from './check.ts'

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
