import { ServiceError } from '@tain/contract'
import type { ReferentialAction } from '../../database-schema.ts'
import type {
  ColumnDefinition,
  DdlPlan,
  DdlStatement,
  Lock,
  Preparation,
  PrintedTable,
  SchemaChange,
  TableRef,
} from '../../ddl.ts'
import type { Capabilities } from './capabilities.ts'
import { conversion, defaultText, typeText } from './ddl-types.ts'
import { literal, putAway, quoted, quotedTable } from './names.ts'
import { createDrafts, type Draft } from './table-draft.ts'
import { printColumn, type ColumnText, type ConstraintText, type IndexText } from './table-text.ts'

type Of<K extends SchemaChange['kind']> = Extract<SchemaChange, { kind: K }>

interface Cost {
  readonly lock?: Lock
  readonly rewrites?: boolean
  readonly scans?: boolean
}

const stepOf = (table: TableRef, text: string, { lock, rewrites, scans }: Cost = {}): DdlStatement => ({
  statement: { text, values: [] },
  table,
  lock: lock ?? 'ACCESS EXCLUSIVE',
  rewrites: rewrites ?? false,
  scans: (scans ?? false) || (rewrites ?? false),
})

/** Rows written in the meantime may violate a restored constraint. The table then stays without it. */
const ifItFits = (text: string) =>
  `begin not atomic declare continue handler for 1048, 1138, 1265, 1264, 1406, 1062, 1452, 4025 begin end; ${text}; end`

/** Fails like a database that enforces such a rule itself. */
const refuse = (condition: string, code: 4025 | 1553, message: string) =>
  `begin not atomic if exists (${condition}) then signal sqlstate '45000' set mysql_errno = ${code}, message_text = '${message}'; end if; end`

const unsupported = (message: string) => new ServiceError('UNPROCESSABLE_CONTENT', message)
const exists = (name: string) =>
  new ServiceError('INVALID_PAYLOAD', `Invalid payload. The database has something named "${name}" already.`)

/** Long texts are indexed by a prefix of this length. */
const INDEXED_LENGTH = 255
const isUnlimited = (type: string) => /^(?:tiny|medium|long)?(?:text|blob)\b|^json\b/iu.test(type)

const actions: Readonly<Record<ReferentialAction, string>> = {
  'NO ACTION': 'no action',
  RESTRICT: 'restrict',
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  'SET DEFAULT': 'set default',
}

function definitionOf(
  { form, isNullable, default: value, isCounter }: ColumnDefinition,
  can: Capabilities,
): ColumnText {
  return {
    type: typeText(form, can),
    generated: '',
    isNullable: isNullable && !isCounter,
    default: value === null ? null : defaultText(value, form),
    behind: isCounter ? 'AUTO_INCREMENT' : '',
    comment: null,
    check: '',
  }
}

/**
 * Every statement of this database commits by itself. So each step is recorded with its undo statement before it runs,
 * nothing is lost before the change is certain, and dropped objects are only renamed until then.
 */
export function planSteps(changes: readonly SchemaChange[], printed: PrintedTable, can: Capabilities): DdlPlan {
  if (changes.length > 0 && !can.takesBackChanges)
    throw unsupported(
      'The schema of this database cannot be changed from here: a change that fails could not be rolled back.',
    )
  const preparations: Preparation[] = []
  const guards: DdlStatement[] = []
  const afterwards: DdlStatement[] = []
  const drafts = createDrafts(printed)
  const emptied = new Set(
    changes.flatMap((change) =>
      change.kind === 'check-empty' ? [`${quotedTable(change.table)} ${change.column}`] : [],
    ),
  )

  const led = new Set(
    changes.flatMap((change) =>
      change.kind === 'add-foreign-key' && (change.rest ?? []).length > 0
        ? [`${quotedTable(change.table)} ${change.column}`]
        : [],
    ),
  )

  const push = (table: TableRef, text: string, undo: string | null, cost?: Cost) =>
    preparations.push({
      ...stepOf(table, text, cost),
      isOutside: false,
      makes: undo === null ? null : { kind: 'statement', table, name: undo },
    })
  const alter = (table: TableRef, action: string, undo: string, cost?: Cost) =>
    push(table, `alter table ${quotedTable(table)} ${action}`, undo, cost)
  const back = (table: TableRef, action: string) => `alter table if exists ${quotedTable(table)} ${action}`

  function createTable({ table, columns, key }: Of<'create-table'>): void {
    if (drafts.has(table)) throw exists(table.table)
    const lines = columns.map((column) => `${quoted(column.name)} ${printColumn(definitionOf(column, can))}`)
    if (columns.some(({ name, isCounter }) => isCounter && name !== key[0]))
      throw unsupported('The database makes only the first field of a key count up.')
    const keys = key.length === 0 ? [] : [`primary key (${key.map(quoted).join(', ')})`]
    push(
      table,
      `create table ${quotedTable(table)} (${[...lines, ...keys].join(', ')}) engine = InnoDB`,
      `drop table if exists ${quotedTable(table)}`,
    )
    drafts.create(
      table,
      columns.map((column) => [column.name, definitionOf(column, can)]),
    )
  }

  function dropTable(table: TableRef): void {
    const away = { ...table, table: putAway(quotedTable(table)) }
    push(
      table,
      `rename table ${quotedTable(table)} to ${quotedTable(away)}`,
      `rename table if exists ${quotedTable(away)} to ${quotedTable(table)}`,
    )
    drafts.drop(table)
    const users = `select 1 from information_schema.key_column_usage k where k.referenced_table_schema = ${literal(away.schema)}
      and k.referenced_table_name = ${literal(away.table)} and k.table_name not like 'service\\\\_gone\\\\_%'`
    guards.push(stepOf(table, refuse(users, 1553, 'other tables refer to it')))
    if (emptied.has(`${quotedTable(table)} null`))
      guards.push(stepOf(table, refuse(`select 1 from ${quotedTable(away)}`, 4025, 'it has rows'), { scans: true }))
    // Dropped tables may refer to each other.
    afterwards.push(stepOf(table, `set statement foreign_key_checks = 0 for drop table if exists ${quotedTable(away)}`))
  }

  function addColumn({ table, column }: Of<'add-column'>): void {
    if (column.isCounter) throw unsupported('The database makes a field that counts up only with its table.')
    const draft = drafts.of(table)
    if (draft.columns.has(column.name)) throw exists(column.name)
    const definition = definitionOf(column, can)
    alter(
      table,
      `add column ${quoted(column.name)} ${printColumn(definition)}`,
      back(table, `drop column if exists ${quoted(column.name)}`),
      { rewrites: column.default?.kind === 'uuid' },
    )
    draft.columns.set(column.name, definition)
  }

  function dropForeignKey(table: TableRef, draft: Draft, { name, text }: ConstraintText): void {
    draft.remove(name)
    const index = draft.indexes.find((entry) => entry.name === name)
    const isNeeded = draft.constraints.some(
      ({ kind, mentions }) => kind === 'foreign-key' && mentions[0] === index?.columns[0],
    )
    // The server created the index with the foreign key, and does not drop it with the key.
    const goes = index !== undefined && !isNeeded
    alter(
      table,
      `drop foreign key ${quoted(name)}${goes ? `, drop index ${quoted(name)}` : ''}`,
      ifItFits(
        back(
          table,
          `add constraint ${quoted(name)} ${text.replace(/^FOREIGN KEY/u, `foreign key if not exists ${quoted(name)}`)}`,
        ),
      ),
    )
    if (goes) draft.removeIndex(name)
  }

  function dropCheck(table: TableRef, draft: Draft, { name, text }: ConstraintText): void {
    alter(
      table,
      `drop constraint ${quoted(name)}`,
      ifItFits(back(table, `add constraint if not exists ${quoted(name)} ${text}`)),
    )
    draft.remove(name)
  }

  function dropIndex(table: TableRef, draft: Draft, { name, kind, rest }: IndexText): void {
    alter(
      table,
      `drop index ${quoted(name)}`,
      ifItFits(back(table, `add ${kind.toLowerCase()} if not exists ${quoted(name)} ${rest}`)),
    )
    draft.removeIndex(name)
  }

  function dropColumn({ table, column }: Of<'drop-column'>): void {
    const draft = drafts.of(table)
    const before = draft.column(column)
    for (const constraint of draft.constraints.filter(({ mentions }) => mentions.includes(column)))
      (constraint.kind === 'check' ? dropCheck : dropForeignKey)(table, draft, constraint)
    for (const index of draft.indexes.filter(({ columns }) => columns.includes(column))) {
      if (index.name === 'PRIMARY') throw unsupported(`"${column}" is part of the primary key.`)
      // The server drops an index over this column alone. Of any other index it would keep the remaining columns.
      if (index.columns.length > 1) dropIndex(table, draft, index)
    }
    const away = putAway(`${quotedTable(table)}.${quoted(column)}`)
    const kept = before.generated === '' ? `${before.type} null` : printColumn({ ...before, check: '' })
    alter(
      table,
      `change column ${quoted(column)} ${quoted(away)} ${kept}`,
      ifItFits(back(table, `change column if exists ${quoted(away)} ${quoted(column)} ${printColumn(before)}`)),
      { rewrites: !before.isNullable },
    )
    draft.columns.delete(column)
    const users = `select 1 from information_schema.key_column_usage k where k.referenced_table_schema = ${literal(table.schema)}
      and k.referenced_table_name = ${literal(table.table)} and k.referenced_column_name = ${literal(away)}`
    guards.push(stepOf(table, refuse(users, 1553, 'other tables refer to it')))
    if (emptied.has(`${quotedTable(table)} ${column}`))
      guards.push(
        stepOf(
          table,
          refuse(`select 1 from ${quotedTable(table)} where ${quoted(away)} is not null`, 4025, 'it has values'),
          { scans: true },
        ),
      )
    afterwards.push(stepOf(table, back(table, `drop column if exists ${quoted(away)}`)))
  }

  function modify(table: TableRef, column: string, change: Partial<ColumnText>, cost?: Cost): void {
    const draft = drafts.of(table)
    const before = draft.column(column)
    const after = { ...before, ...change }
    alter(
      table,
      `modify column ${quoted(column)} ${printColumn(after)}`,
      ifItFits(back(table, `modify column if exists ${quoted(column)} ${printColumn(before)}`)),
      cost,
    )
    draft.columns.set(column, after)
  }

  function setType({ table, column, from, to, default: value }: Of<'set-type'>): void {
    const draft = drafts.of(table)
    const before = draft.column(column)
    const text = value === 'kept' ? before.default : value === null ? null : defaultText(value, to)
    const after: ColumnText = { ...before, type: typeText(to, can), default: text, check: '' }
    const how = conversion(from, to, can)
    if (how.isLossless) {
      modify(table, column, after, { rewrites: true })
      return
    }
    // The old values stay in a second column until the change is certain.
    const name = quoted(column)
    const kept = putAway(`${quotedTable(table)}.${name} before`)
    alter(
      table,
      `add column ${quoted(kept)} ${before.type} generated always as (${name}) stored invisible`,
      back(table, `drop column if exists ${quoted(kept)}`),
      { rewrites: true },
    )
    // Columns with ON UPDATE keep their values.
    const still = [...draft.columns]
      .filter(([, { behind }]) => behind.includes('ON UPDATE'))
      .map(([other]) => `, ${quoted(other)} = ${quoted(other)}`)
      .join('')
    const isKept = `select 1 from information_schema.columns c where c.table_schema = ${literal(table.schema)}
      and c.table_name = ${literal(table.table)} and c.column_name = ${literal(kept)}`
    const isKey = draft.indexes.some((index) => index.name === 'PRIMARY' && index.columns.includes(column))
    const between = how.via === null ? null : `${how.via} ${isKey ? 'not null' : 'null'}`
    const backwards = between === null ? '' : `${back(table, `modify column if exists ${name} ${between}`)};`
    const undo = `begin not atomic if exists (${isKept}) then
        ${backwards}${back(table, `modify column if exists ${name} ${printColumn({ ...before, isNullable: !isKey })}`)};
        update ${quotedTable(table)} set ${name} = ${quoted(kept)}${still} where ${quoted(kept)} is not null;
        ${back(table, `modify column if exists ${name} ${printColumn(before)}`)};
      end if; end`
    const rest = `modify column ${name} ${printColumn(after)}`
    const free = `modify column ${quoted(kept)} ${before.type} null invisible`
    const update = (expression: string) =>
      push(table, `update ${quotedTable(table)} set ${name} = ${expression}${still} where ${name} is not null`, null, {
        scans: true,
      })
    if (how.before === null && how.via === null) alter(table, `${free}, ${rest}`, undo, { rewrites: true })
    else {
      alter(table, `${free}${between === null ? '' : `, modify column ${name} ${between}`}`, undo, { rewrites: true })
      if (how.before !== null) update(how.before)
      push(table, `alter table ${quotedTable(table)} ${rest}`, null, { rewrites: true })
    }
    if (how.after !== null) update(how.after)
    draft.columns.set(column, after)
    afterwards.push(stepOf(table, back(table, `drop column if exists ${quoted(kept)}`)))
  }

  function addIndex({ kind, table, column, name }: Of<'add-index' | 'add-unique'>): void {
    const draft = drafts.of(table)
    if (draft.indexes.some((index) => index.name === name)) throw exists(name)
    // A foreign key over several columns creates an index that begins with its first column.
    if (kind === 'add-index' && led.has(`${quotedTable(table)} ${column}`)) return
    const isPartial = kind === 'add-index' && isUnlimited(draft.column(column).type)
    const rest = `(${quoted(column)}${isPartial ? `(${INDEXED_LENGTH})` : ''})`
    const what = kind === 'add-unique' ? 'UNIQUE KEY' : 'KEY'
    alter(
      table,
      `add ${what.toLowerCase()} ${quoted(name)} ${rest}`,
      back(table, `drop index if exists ${quoted(name)}`),
      { lock: 'SHARE UPDATE EXCLUSIVE', scans: true },
    )
    draft.indexes.push({ name, kind: what, columns: [column], rest })
  }

  function addForeignKey(change: Of<'add-foreign-key'>): void {
    const { table, name, to, onDelete, onUpdate } = change
    const pairs = [[change.column, change.toColumn] as const, ...(change.rest ?? [])]
    if (onDelete === 'SET DEFAULT' || onUpdate === 'SET DEFAULT')
      throw unsupported('The database knows no foreign keys that set a default.')
    const draft = drafts.of(table)
    const from = pairs.map(([column]) => quoted(column)).join(', ')
    const into = pairs.map(([, column]) => quoted(column)).join(', ')
    const text = `(${from}) REFERENCES ${quotedTable(to)} (${into}) on delete ${actions[onDelete]} on update ${actions[onUpdate]}`
    const columns = pairs.map(([column]) => column)
    const hasIndex = draft.indexes.some((index) => columns.every((column, place) => index.columns[place] === column))
    alter(
      table,
      `add constraint ${quoted(name)} foreign key ${text}`,
      back(
        table,
        `drop foreign key if exists ${quoted(name)}${hasIndex ? '' : `, drop index if exists ${quoted(name)}`}`,
      ),
      { lock: 'SHARE ROW EXCLUSIVE', scans: true },
    )
    draft.constraints.push({ name, kind: 'foreign-key', mentions: columns, text: `FOREIGN KEY ${text}` })
    if (!hasIndex) draft.indexes.push({ name, kind: 'KEY', columns, rest: `(${from})` })
  }

  function dropNamed({ table, name }: Of<'drop-index' | 'drop-constraint'>): void {
    const draft = drafts.of(table)
    const constraint = draft.constraints.find((entry) => entry.name === name)
    const index = draft.indexes.find((entry) => entry.name === name)
    if (constraint?.kind === 'foreign-key') dropForeignKey(table, draft, constraint)
    else if (constraint !== undefined) dropCheck(table, draft, constraint)
    else if (index !== undefined) dropIndex(table, draft, index)
    else throw unsupported('Something that the change needs is not in the database.')
  }

  function make(change: SchemaChange): void {
    const { table } = change
    switch (change.kind) {
      case 'create-table':
        return createTable(change)
      case 'drop-table':
        return dropTable(table)
      case 'check-empty':
        return undefined
      case 'comment-table': {
        const draft = drafts.of(table)
        const comment = literal(change.comment ?? '')
        alter(table, `comment = ${comment}`, back(table, `comment = ${draft.comment}`))
        draft.comment = comment
        return undefined
      }
      case 'add-column':
        return addColumn(change)
      case 'drop-column':
        return dropColumn(change)
      case 'set-type':
        return setType(change)
      case 'set-default': {
        const { default: value, form, column } = change
        return modify(table, column, { default: value === null ? null : defaultText(value, form) })
      }
      case 'set-not-null':
        return modify(table, change.column, { isNullable: false }, { rewrites: true })
      case 'drop-not-null':
        return modify(table, change.column, { isNullable: true }, { rewrites: true })
      case 'comment-column':
        return modify(table, change.column, { comment: change.comment === null ? null : literal(change.comment) })
      case 'add-index':
      case 'add-unique':
        return addIndex(change)
      case 'drop-index':
      case 'drop-constraint':
        return dropNamed(change)
      case 'add-foreign-key':
        return addForeignKey(change)
    }
  }

  for (const change of changes) make(change)
  const checks = guards.map((guard): Preparation => ({ ...guard, isOutside: false, makes: null }))
  return { preparations: [...preparations, ...checks], statements: [], afterwards }
}
