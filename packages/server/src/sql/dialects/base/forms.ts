import { forGeometries, MASK } from '@tain/contract'
import type { FieldType } from '@tain/contract'
import type { ValueForm } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'

export const same = (expression: Sql) => expression
export const asIs = (text: string) => text
export const quote = (text: string) => JSON.stringify(text)

/** Digits stay digits. Values without a JSON number (NaN, Infinity) become text, as in PostgreSQL's own JSON. */
export const writeNumber = (text: string) => (/^-?\d/u.test(text) ? text : quote(text))

/** Text that should contain JSON; invalid JSON is shown as a string. */
export const writeJsonOrText = (text: string): string => {
  try {
    JSON.parse(text)
    return text
  } catch {
    return quote(text)
  }
}

/** Values that are JSON already. */
export const plain: ValueForm = { text: same, json: same, write: asIs }

/** A value that is read as the database prints it and shown as a JSON string. */
export const quoted = (json: ValueForm['json']): ValueForm => ({ text: same, json, write: quote })

/** The JSON of another form as a JSON string: `true` becomes `"true"`. */
export const spelledOut = (form: ValueForm, json: ValueForm['json']): ValueForm => ({
  text: form.text,
  json,
  write: (text) => quote(form.write(text)),
})

export const binary = (json: ValueForm['json']): ValueForm => ({
  text: same,
  json,
  write: (text) => quote(Buffer.from(text.slice(2), 'hex').toString('base64')),
})

export const csv = (json: ValueForm['json']): ValueForm => ({
  text: same,
  json,
  write: (text) => JSON.stringify(text === '' ? [] : text.split(',')),
})

/** A secret is shown only as a mask; `mask` is the text that stands for it in JSON. */
export const concealed = (mask: Sql): ValueForm => ({
  text: (expression) => sql`case when ${expression} is not null then ${sql.lit(MASK)} end`,
  json: (expression) => sql`case when ${expression} is not null then ${mask} end`,
  write: quote,
})

/** The forms that differ between databases. */
interface OwnForms {
  readonly string: ValueForm
  readonly uuid: ValueForm
  readonly date: ValueForm
  readonly integer: ValueForm
  readonly bigInteger: ValueForm
  readonly decimal: ValueForm
  readonly float: ValueForm
  readonly boolean: ValueForm
  readonly json: ValueForm
  readonly csv: ValueForm
  readonly binary: ValueForm
  readonly timestamp: ValueForm
  readonly dateTime: ValueForm
  readonly time: ValueForm
  readonly geometry: ValueForm
  readonly unknown: ValueForm
}

/** The form of each field type. */
export const formsByType = ({ string, geometry, ...own }: OwnForms): Readonly<Record<FieldType, ValueForm>> => ({
  ...own,
  string,
  text: string,
  hash: string,
  alias: string,
  ...forGeometries(geometry),
})
