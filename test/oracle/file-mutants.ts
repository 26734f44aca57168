import type { Mutant } from './mutant-list.ts'

const ROWS = 'files/file-rows.ts'

const mutant = (name: string, file: string, search: string, replace: string): Mutant => ({
  name,
  by: 'test/files/rights.test.ts',
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
    'return { row, name, isOfProject: false }',
    'return { row, name: row.name, isOfProject: false }',
  ),
  mutant(
    'closed content is for shared caches',
    'http/assets.ts',
    'return rows.isOpen(await context.authenticate({ token: null, address: null }), file.row.id)',
    'return rows.isOpen(actor, file.row.id)',
  ),
  mutant(
    'links open whatever their signature is',
    'files/asset-link.ts',
    'isEqualText(signature, signatureOf(link, key)) && now < link.expires',
    'now < link.expires',
  ),
]
