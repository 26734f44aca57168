import type { Rng } from '../../random/rng.ts'
import { everything, type Action, type Operand, type Operator, type Permission, type Row, type Rule } from './rules.ts'
import { TYPES, tokenOf, uuidOf, WORDS, type Folder, type Person } from './world.ts'

const test = (field: string, op: Operator, value: Operand): Rule => ({ kind: 'test', field, op, value })

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function randomTest(rng: Rng, folders: readonly Folder[]): Rule {
  const ids = folders.map(({ id }) => id)
  return rng.weighted<() => Rule>([
    [3, () => test('folder', '_eq', rng.pick(ids))],
    [2, () => test('folder', '_in', rng.sample(ids, 1, 3))],
    [1, () => test('folder', '_neq', rng.pick(ids))],
    [1, () => test('folder', rng.pick(['_null', '_nnull']), true)],
    [1, () => test('folder.name', '_eq', rng.pick(folders).name)],
    [4, () => test('uploaded_by', '_eq', '$CURRENT_USER')],
    [1, () => test('uploaded_by', '_neq', '$CURRENT_USER')],
    [2, () => test('type', '_eq', rng.pick(TYPES))],
    [1, () => test('type', '_starts_with', rng.pick(['text/', 'image/']))],
    [2, () => test('title', '_starts_with', capital(rng.pick(WORDS)))],
  ])()
}

function randomRule(rng: Rng, folders: readonly Folder[], depth = 0): Rule | null {
  if (depth === 0 && rng.chance(0.2)) return rng.chance(0.5) ? null : everything
  if (depth > 1 || rng.chance(0.6)) return randomTest(rng, folders)
  const kind = rng.pick(['all', 'any'] as const)
  const parts = Array.from({ length: rng.int(2, 3) }, () => randomRule(rng, folders, depth + 1) ?? everything)
  return { kind, parts }
}

const MASKED = [
  'id',
  'title',
  'description',
  'type',
  'folder',
  'uploaded_by',
  'filename_download',
  'filesize',
  'checksum',
]
const WRITTEN = ['title', 'description', 'folder', 'filename_download', 'type']

function randomFields(rng: Rng, action: Action): readonly string[] {
  if (action === 'delete' || rng.chance(0.4)) return ['*']
  if (rng.chance(0.03)) return []
  if (action === 'read') return rng.sample(MASKED, 1, MASKED.length)
  // Content cannot come without its name and type, so most lists have both.
  const needed = rng.chance(0.8) ? ['filename_download', 'type'] : []
  return [...new Set([...needed, ...rng.sample(WRITTEN, 1, 4)])]
}

const randomValidation = (rng: Rng): Rule =>
  rng.pick([
    test('type', '_in', rng.sample(TYPES, 2, 4)),
    test('filesize', '_lte', rng.pick([20, 100, 1000])),
    test('title', '_starts_with', capital(rng.pick(WORDS))),
    { kind: 'any', parts: [test('type', '_eq', 'text/plain'), test('filesize', '_lte', 60)] },
    { kind: 'all', parts: [test('type', '_starts_with', 'text/'), test('filename_download', '_nnull', true)] },
  ])

const randomPresets = (rng: Rng): Row =>
  rng.chance(0.7) ? { description: `preset ${rng.int(1, 3)}` } : { title: `${capital(rng.pick(WORDS))} preset` }

function randomPermission(rng: Rng, folders: readonly Folder[], action: Action): Permission {
  const isWrite = action === 'create' || action === 'update'
  return {
    collection: 'service_files',
    action,
    fields: randomFields(rng, action),
    rule: action === 'create' ? null : randomRule(rng, folders),
    validation: isWrite && rng.chance(0.15) ? randomValidation(rng) : null,
    presets: isWrite && rng.chance(0.2) ? randomPresets(rng) : null,
  }
}

const foldersOpen: Permission = {
  collection: 'service_folders',
  action: 'read',
  fields: ['*'],
  rule: null,
  validation: null,
  presets: null,
}

export function randomPolicies(rng: Rng, folders: readonly Folder[]): Person['policies'] {
  if (rng.chance(0.08)) return []
  return Array.from({ length: rng.int(1, 3) }, () => {
    const actions = rng.sample<Action>(['read', 'read', 'create', 'update', 'delete'], 1, 5)
    const permissions = actions.map((action) => randomPermission(rng, folders, action))
    return rng.chance(0.5) ? [...permissions, foldersOpen] : permissions
  })
}

/** The public may read a folder or two, or nothing. */
export function randomOpen(rng: Rng, folders: readonly Folder[]): Person['policies'] {
  if (rng.chance(0.3)) return []
  const ids = rng.sample(folders, 1, 2).map(({ id }) => id)
  const rule = rng.chance(0.9) ? test('folder', '_in', ids) : test('uploaded_by', '_eq', '$CURRENT_USER')
  return [[{ ...foldersOpen, collection: 'service_files', fields: randomFields(rng, 'read'), rule }]]
}

export function randomPeople(rng: Rng, folders: readonly Folder[], count: number): Person[] {
  return Array.from({ length: count }, (_, index) => ({
    id: uuidOf(rng),
    token: tokenOf(),
    hasRole: rng.chance(0.5),
    isActive: true,
    isAdmin: index < 2,
    policies: index < 2 ? [] : randomPolicies(rng, folders),
  }))
}
