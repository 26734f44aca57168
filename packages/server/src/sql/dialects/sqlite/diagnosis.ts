import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiagnosisStatements, ServerAdvice } from '../../diagnosis.ts'
import type { Statement } from '../../driver.ts'

const plain = (text: string): Statement => ({ text, values: [] })
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** File systems whose locks do not protect a database, by the number that statfs returns. */
export const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB'],
  [0x51_7b, 'SMB'],
  [0x01_02_19_97, '9P'],
])

export interface FileSystem {
  readonly mayWrite: (path: string) => Promise<boolean>
  readonly type: (path: string) => Promise<number>
}

const thisMachine: FileSystem = {
  mayWrite: (path) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
  type: async (path) => (await statfs(path)).type,
}

/** What the file and its folder have to allow. */
export async function adviceOn(
  file: string,
  { mayWrite, type }: FileSystem = thisMachine,
): Promise<readonly ServerAdvice[]> {
  const found: ServerAdvice[] = []
  for (const path of [file, dirname(file)])
    if (!(await mayWrite(path)))
      found.push({ level: 'problem', text: `This user may not write to ${path}.`, fix: `chmod u+w '${path}'` })
  const network = networkFileSystems.get(await type(file))
  if (network !== undefined)
    found.push({
      level: 'problem',
      text: `The file is on a network file system (${network}), where locks are not reliable.`,
      fix: 'Move the file to a local disk and correct DATABASE_URL.',
    })
  return found
}

export const createDiagnosis = (file: string): DiagnosisStatements => ({
  version: plain('select sqlite_version()'),
  unsupported: () => null,
  clock: null,
  connections: null,
  replicas: null,
  furtherConnections: 0,
  session: null,
  unanalysed: null,
  analyse: ({ table }) => `analyze ${quoted(table)};`,
  // Connections that read cannot write.
  readOnly: { begin: plain('select 1'), refusal: 'SQLITE_READONLY' },
  readOne: ({ table }) => plain(`select * from ${quoted(table)} limit 1`),
  createIndex: ({ table }, columns) =>
    `create index ${quoted(`${table}_${columns.join('_')}_index`)} on ${quoted(table)} (${columns.map(quoted).join(', ')});`,
  grantSelect: null,
  unserved: null,
  addKey: ({ table }) =>
    `create table ${quoted(`${table}_new`)} (id integer primary key, …); -- then copy the rows and rename`,
  advice: () => adviceOn(file),
})
