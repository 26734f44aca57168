import { inflateRawSync } from 'node:zlib'
import { holding } from './model.ts'
import { json } from './service.ts'
import { differences, isOut, send, someFile, tell, type Trial } from './stage.ts'
import { hasField, type Caller, type StoredFile, type World } from './world.ts'

/** Names and contents of a zip, by its directory at the end. */
function unzip(bytes: Buffer): readonly (readonly [name: string, content: string])[] {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    const entry = [
      bytes.toString('utf8', at + 46, at + 46 + name),
      (method === 0 ? packed : inflateRawSync(packed)).toString('latin1'),
    ] as const
    at += 46 + name + extra + comment
    return entry
  })
}

/** In an archive are files whose key the caller may read; null: this one is closed. */
function archivedAs(world: World, caller: Caller, file: StoredFile | null): { readonly name: string | null } | null {
  if (file === null || file.isDeleted) return null
  if (caller?.isAdmin === true) return { name: String(file.row['filename_download']) }
  const rules = holding(world, caller, 'read', file.row)
  if (!rules.some((rule) => hasField(rule, 'id'))) return null
  const isNamed = rules.some((rule) => hasField(rule, 'filename_download'))
  return { name: isNamed ? String(file.row['filename_download']) : null }
}

/** Several files at once: all of them, or a refusal. */
export const archive: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const files = [...new Set(Array.from({ length: rng.int(1, 3) }, () => someFile(stage)))]
  const ids = files.map((file) => file?.id ?? 'ffffffff-ffff-4fff-afff-ffffffffffff')
  const answer = await send(stage, caller, { method: 'POST', path: '/assets/files', ...json({ ids }) })
  if (isOut(caller)) return differences('status', answer.status, 401)
  const shown = files.map((file) => archivedAs(world, caller, file))
  if (shown.includes(null)) return answer.status === 403 ? [] : [`status ${tell(answer)}, expected 403`]
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  const entries = unzip(answer.bytes)
  const contents = differences(
    'contents',
    entries.map(([, content]) => content),
    files.map((file) => file?.content.toString('latin1')),
  )
  const stem = (name: string) => name.replace(/(?: \(\d\))?\.\w+$/u, '')
  const names = shown.map((entry, index) => stem(entry?.name ?? `${ids[index]}.x`))
  return [
    ...contents,
    ...differences(
      'names',
      entries.map(([name]) => stem(name)),
      names,
    ),
  ]
}
