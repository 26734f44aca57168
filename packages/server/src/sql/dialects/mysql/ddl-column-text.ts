import type { ColumnDefinition } from '../../ddl.ts'
import type { Capabilities } from './capabilities.ts'
import { checkOf, defaultText, typeText } from './ddl-types.ts'
import type { ColumnText } from './table-text.ts'

export function definitionOf(
  { name, form, isNullable, default: value, isCounter }: ColumnDefinition,
  can: Capabilities,
): ColumnText {
  return {
    type: typeText(form, can),
    generated: '',
    isNullable: isNullable && !isCounter,
    default: value === null ? null : defaultText(value, form),
    behind: isCounter ? 'AUTO_INCREMENT' : '',
    comment: null,
    check: checkOf(name, form),
  }
}
