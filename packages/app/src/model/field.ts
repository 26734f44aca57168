import type { FieldType } from '@tain/contract'

/** A field as `GET /fields/:collection` describes it. */
export interface Field {
  readonly collection: string
  readonly field: string
  readonly type: FieldType | 'alias'
  readonly schema: FieldColumn | null
  readonly meta: FieldMeta | null
}

export interface FieldColumn {
  readonly data_type: string
  readonly default_value: unknown
  readonly max_length: number | null
  readonly numeric_precision: number | null
  readonly numeric_scale: number | null
  readonly is_generated: boolean
  readonly is_nullable: boolean
  readonly is_unique: boolean
  readonly is_indexed: boolean
  readonly is_primary_key: boolean
  readonly has_auto_increment: boolean
  readonly foreign_key_table: string | null
  readonly foreign_key_column: string | null
  readonly enum_values?: readonly string[] | null
  readonly comment: string | null
}

export interface FieldMeta {
  readonly special?: readonly string[] | null
  readonly interface?: string | null
  readonly options?: Readonly<Record<string, unknown>> | null
  readonly display?: string | null
  readonly display_options?: Readonly<Record<string, unknown>> | null
  readonly readonly?: boolean
  readonly hidden?: boolean
  readonly sort?: number | null
  readonly width?: string | null
  readonly translations?: readonly { readonly language: string; readonly translation: string }[] | null
  readonly note?: string | null
  readonly conditions?: readonly unknown[] | null
  readonly required?: boolean
  readonly group?: string | null
  readonly validation?: unknown
  readonly validation_message?: string | null
}

/**
 * The service sends `special` with commas and `display_options` as JSON text, and no `schema` for a field without a
 * column; the app reads a list, an object and null.
 */
export function fieldFromWire(wire: Omit<Field, 'schema'> & Partial<Pick<Field, 'schema'>>): Field {
  const field: Field = { ...wire, schema: wire.schema ?? null }
  if (field.meta === null) return field
  const { special, display_options: options } = field.meta as Readonly<Record<'special' | 'display_options', unknown>>
  return {
    ...field,
    meta: {
      ...field.meta,
      special:
        typeof special === 'string' ? special.split(',').filter((each) => each !== '') : (field.meta.special ?? null),
      display_options: typeof options === 'string' ? parsedOptions(options) : (field.meta.display_options ?? null),
    },
  }
}

function parsedOptions(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

const acronyms = new Set(['id', 'url', 'uuid', 'ip', 'api', 'iso', 'vat', 'html', 'json', 'sku', 'tfa'])

/** A name of the database in words: `shipping_address` → Shipping address. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/u)
    .filter((word) => word !== '')
  if (words.length === 0) return name
  return words
    .map((word, index) => {
      const lower = word.toLowerCase()
      if (acronyms.has(lower)) return lower.toUpperCase()
      return index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : lower
    })
    .join(' ')
}

/** The label of a field: its translation, else its name in words. A reference loses its `_id`. */
export function fieldLabel(field: Field, language: string): string {
  const translated = field.meta?.translations?.find((entry) => entry.language === language)?.translation
  if (translated !== undefined) return translated
  const isReference = field.schema?.foreign_key_table !== null && field.schema?.foreign_key_table !== undefined
  return titleOf(isReference ? field.field.replace(/_?id$/iu, '') || field.field : field.field)
}

export const isReadOnly = (field: Field): boolean =>
  field.meta?.readonly === true || field.schema?.is_generated === true

export const isAlias = (field: Field): boolean => field.type === 'alias'

/** Whether a row cannot be created without a value for it. */
export const isRequired = ({ meta, schema }: Field): boolean =>
  meta?.required === true ||
  (schema !== null &&
    !schema.is_nullable &&
    schema.default_value === null &&
    !schema.has_auto_increment &&
    !schema.is_generated)
