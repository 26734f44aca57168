import type { Mutant } from './mutant-list.ts'

const ROWS = 'files/file-rows.ts'

const mutant = (name: string, file: string, search: string, replace: string): Mutant => ({
  name,
  by: 'files',
  edits: [{ file, search, replace }],
})

/** Mistakes about files and their content. */
export const FILE_MUTANTS: readonly Mutant[] = [
  mutant(
    'the content of closed files is sent',
    ROWS,
    '      if (!(await isOfProject(id.toLowerCase())) || row === null) throw forbidden()\n',
    '      if (row === null) throw forbidden()\n',
  ),
  mutant(
    'names that are closed stand in headers',
    ROWS,
    'return { row, ...found, isOfProject: false }',
    'return { row, ...found, name: row.name, isOfProject: false }',
  ),
  mutant(
    'closed content is for shared caches',
    'http/assets.ts',
    'rows.opened(await context.authenticate({ token: null, address: null }), file.row.id)',
    'rows.opened(actor, file.row.id)',
  ),
  {
    name: 'links open whatever their signature is',
    by: 'files',
    edits: [
      {
        file: 'files/asset-link.ts',
        search: '!isEqualText(signature, signatureOf(link, mark, key)) || now >= link.expires',
        replace: 'now >= link.expires',
      },
      {
        file: 'http/asset-caller.ts',
        search: 'generation === null || !link.isOf(generation)',
        replace: 'generation === null',
      },
    ],
  },
]
