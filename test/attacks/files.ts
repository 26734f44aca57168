import { dataOf, TOKEN, type RequestOptions, type Service } from '../lib/service.ts'
import type { Row, Stage } from './stage.ts'

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

/** The path of a link to a file, made by the caller with this token. */
export async function linkTo(service: Service, id: string, options: RequestOptions, parameters = ''): Promise<string> {
  const path = `/files/${id}/url?expires_in=604800&${parameters}`
  const { url } = dataOf(await service.send('GET', path, undefined, options)) as Row
  const { pathname, search } = new URL(String(url))
  return `${pathname}${search}`
}

/** Opens a file to callers without credentials while `work` runs. */
export async function asPublic(
  { admin, make }: Stage,
  id: string,
  rule: Row,
  work: () => Promise<void>,
): Promise<void> {
  const permissions = { _and: [{ id: { _eq: id } }, rule] }
  const permission = { collection: 'service_files', action: 'read', fields: ['*'], permissions }
  const policy = await make('/policies', { name: 'opened', permissions: [permission] })
  await make('/access', { policy: policy.id, role: null, user: null })
  try {
    await work()
  } finally {
    await admin.send('DELETE', `/policies/${policy.id}`)
  }
}
