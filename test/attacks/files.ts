import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf, TOKEN, type Environment, type Service } from '../service.ts'
import type { Row, Stage } from './stage.ts'

/** Runs a service with files in a folder of its own, on the database of the stage. */
export async function withFiles(
  { withService }: Stage,
  changes: Environment,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-attack-'))
  try {
    await withService({ STORAGE_LOCAL_ROOT: folder, ...changes }, work)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Uploads a file as administrator and returns its key. */
export async function upload(
  { url }: Service,
  name: string,
  type: string,
  content: string | Buffer<ArrayBuffer>,
): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content], { type }), name)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`${url}/files`, { method: 'POST', headers, body: form })
  const text = await response.text()
  const { id } = dataOf({ status: response.status, headers: response.headers, text, body: JSON.parse(text) }) as Row
  return String(id)
}
