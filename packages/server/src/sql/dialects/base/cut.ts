import type { Dialect, ValueForm } from '../../dialect.ts'
import type { Sql } from '../../sql.ts'

interface CutParts {
  /** The first characters of a text. */
  readonly prefix: (text: Sql, characters: number) => Sql
  /** A JSON value; if its text is longer, the beginning of the text as a JSON string. */
  readonly document: (form: ValueForm, characters: number) => Pick<ValueForm, 'text' | 'json'>
}

/** Cuts texts and documents; other values are short, and secrets are shown as a mask. */
export const createCut =
  ({ prefix, document }: CutParts): Dialect['cut'] =>
  (form, { type, column: { elementType, enumValues, maxLength }, isConcealed }, characters) => {
    if (isConcealed || elementType !== null || enumValues !== null) return form
    if (type === 'json') return { ...form, ...document(form, characters) }
    if ((type !== 'string' && type !== 'text') || (maxLength !== null && maxLength <= characters)) return form
    return {
      ...form,
      text: (expression) => form.text(prefix(expression, characters)),
      json: (expression) => form.json(prefix(expression, characters)),
    }
  }
