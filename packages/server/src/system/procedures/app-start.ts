import { users } from '@tain/contract/collections'
import type { Output } from '@tain/contract/schemas'
import type { FieldType } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { actions } from '../../access/permissions.ts'
import type { TableEstimates } from '../../engine/table-estimates.ts'
import type { Procedure } from '../../procedure.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { findCollection, type Collection, type Schema } from '../../schema/schema.ts'
import { listCollections } from '../collections.ts'
import { accessTo, globalsOf, ownRow } from './self.ts'
import { projectOf } from './server.ts'
import type { SystemServices } from './system-services.ts'

type AppStart = Output<'appStart'>
type AppCollection = AppStart['collections'][number]

/** What the app shows of the caller. */
const ownFields = [
  'id',
  'first_name',
  'last_name',
  'email',
  'avatar',
  'language',
  'text_direction',
  'appearance',
  'theme_light',
  'theme_dark',
  'last_page',
  'role',
]

/**
 * Everything that the app needs before its first screen, in one response. Nobody has to be signed in: the sign-in page
 * needs the project.
 */
export const appStart =
  (services: SystemServices): Procedure<'appStart'> =>
  async ({ actor: caller }) => {
    const { engine, version } = services
    const actor = await engine.renew(caller)
    const project = await projectOf(services)
    if (actor.user === null && !actor.isAdmin)
      return { me: null, globals: globalsOf(actor), project, schema_version: null, collections: [] }
    const schema = engine.schema()
    const me = actor.user === null ? null : await meOf(actor, actor.user, schema, services)
    const common = { me, globals: globalsOf(actor), project, version, schema_version: schema.structureVersion }
    if (actor.lacksSecondFactor) return { ...common, collections: [] }
    return { ...common, collections: collectionsFor(actor, schema, languageOf(me, project), await engine.estimates()) }
  }

type Data = Readonly<Record<string, unknown>>

async function meOf(actor: Actor, user: string, schema: Schema, services: SystemServices): Promise<Data> {
  const collection = findCollection(schema, users.name, true)
  const readable = collection === undefined ? new Set<string>() : actor.fieldsFor(collection, 'read')
  const fields = ownFields.filter((name) => name === 'id' || readable === 'all' || readable.has(name))
  const { data } = await ownRow(actor, user, parseQuery({ fields }, services.limits), services)
  return JSON.parse(data) as Data
}

function languageOf(me: Data | null, project: Data): string {
  const language = me?.['language'] ?? project['default_language']
  return typeof language === 'string' ? language : 'en-US'
}

function collectionsFor(actor: Actor, schema: Schema, language: string, estimates: TableEstimates): AppCollection[] {
  return listCollections(actor, schema).map(({ collection: name, meta, schema: table }) => {
    const found = schema.collections.get(name)
    const common = {
      collection: name,
      ...given('label', labelIn(meta?.translations, language)),
      ...given('note', meta?.note ?? table?.comment),
      ...given('icon', meta?.icon),
      ...given('color', meta?.color),
      ...given('group', meta?.group),
      ...given('sort', meta?.sort),
      ...(meta?.hidden === true ? { hidden: true } : {}),
      ...(meta?.singleton === true ? { singleton: true } : {}),
    }
    if (found === undefined || table === null) return { ...common, kind: 'folder', key: [], access: 0 }
    return {
      ...common,
      kind: found.kind,
      key: keyFor(found, actor),
      access: accessBits(found, actor),
      ...(found.isSystem ? { system: true } : {}),
      ...(found.isReadOnly ? { read_only: true } : {}),
      ...given('display_template', meta?.display_template ?? templateFor(found, actor)),
      ...given('sort_field', meta?.sort_field),
      ...given('estimated_rows', accessTo('read', found, actor) === 'full' ? estimates(found) : null),
    }
  })
}

/** Leaves out members without a value: thousands of collections share one response. */
const given = <K extends string, V>(name: K, value: V | null | undefined): { readonly [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V }

/** The name of a collection in a language: `[{"language": "de-DE", "translation": "Bücher"}]`. */
function labelIn(translations: unknown, language: string): string | null {
  if (!Array.isArray(translations)) return null
  const found = (translations as readonly unknown[]).find(
    (entry): entry is { readonly translation: string } =>
      typeof entry === 'object' &&
      entry !== null &&
      (entry as Data)['language'] === language &&
      typeof (entry as Data)['translation'] === 'string',
  )
  return found?.translation ?? null
}

const levels = { none: 0, partial: 1, full: 2 } as const

/** Two bits per action, in the order of the actions. */
const accessBits = (collection: Collection, actor: Actor): number =>
  actions.reduce((bits, action, index) => bits | (levels[accessTo(action, collection, actor)] << (2 * index)), 0)

const isReadable = (name: string, collection: Collection, actor: Actor): boolean => {
  const fields = actor.fieldsFor(collection, 'read')
  return fields === 'all' || fields.has(name)
}

const keyFor = (collection: Collection, actor: Actor): string[] =>
  collection.key.every(({ name }) => isReadable(name, collection, actor)) ? collection.key.map(({ name }) => name) : []

/** Fields that say what a row is, best first; the first of them whose names are all there is taken. */
const telling = [
  ['name'],
  // before a title: that of a person is a word such as Manager
  ['full_name'],
  ['first_name', 'last_name'],
  ['firstname', 'lastname'],
  ['title'],
  ['label'],
  ['subject'],
  ['last_name'],
  ['email'],
  ['number'],
  ['code'],
  ['sku'],
  ['slug'],
  ['reference'],
  ['street', 'city'],
  ['city'],
  ['description'],
]

/** Texts that many rows share, or that are too long to name one. */
const sorting = new Set([
  'kind',
  'type',
  'status',
  'state',
  'currency',
  'country',
  'language',
  'color',
  'note',
  'notes',
  'comment',
])

const isShort = (type: FieldType): boolean => type === 'string' || type === 'text'

/** A guess at what identifies a row for people; null: only its key does. Kinds and states do not tell rows apart. */
function templateFor(collection: Collection, actor: Actor): string | null {
  const texts = [...collection.columns.values()].filter(
    (field) => isShort(field.type) && !collection.key.includes(field) && isReadable(field.name, collection, actor),
  )
  const byName = new Map(texts.map(({ name }) => [name.toLowerCase(), name]))
  const group = telling.find((names) => names.every((name) => byName.has(name)))
  const best = group ?? [...byName.keys()].filter((name) => !sorting.has(name)).slice(0, 1)
  return best.length === 0 ? null : best.map((name) => `{{${byName.get(name)}}}`).join(' ')
}
