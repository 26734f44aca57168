import { lazy, type ComponentType } from 'react'
import { BooleanInput } from './boolean.tsx'
import { BytesInput } from './bytes.tsx'
import type { InterfaceName } from './choose-interface.ts'
import { CodeInput } from './code.tsx'
import { DateTimeInput } from './datetime.tsx'
import { SecretInput } from './hash.tsx'
import { MultilineInput, TextInput } from './input.tsx'
import type { InterfaceProps } from './interface.ts'
import { Divider, NotHere, PresentationNotice } from './presentation.tsx'
import { MultipleInput, RadioInput, SelectInput } from './select.tsx'
import { TagsInput } from './tags.tsx'

interface InterfaceRow {
  readonly component: ComponentType<InterfaceProps>
  /** It shows its own words instead of a label with a control below it. */
  readonly isBare?: true
  /** It is no control that a label can point to: it names itself. */
  readonly isGroup?: true
}

const ToOneInput = lazy(async () => ({ default: (await import('./m2o/m2o.tsx')).ToOneInput }))
const RowsInput = lazy(async () => ({ default: (await import('./rows/rows.tsx')).RowsInput }))

/** The control behind each interface. One is added by a file here and a row in both tables. */
export const interfaces: Readonly<Record<InterfaceName, InterfaceRow>> = {
  input: { component: TextInput },
  'input-multiline': { component: MultilineInput },
  'input-code': { component: CodeInput },
  'input-hash': { component: SecretInput },
  boolean: { component: BooleanInput },
  datetime: { component: DateTimeInput },
  'select-dropdown': { component: SelectInput },
  'select-radio': { component: RadioInput, isGroup: true },
  'select-multiple-dropdown': { component: MultipleInput, isGroup: true },
  'select-multiple-checkbox': { component: MultipleInput, isGroup: true },
  tags: { component: TagsInput },
  bytes: { component: BytesInput, isGroup: true },
  'select-dropdown-m2o': { component: ToOneInput },
  'list-o2m': { component: RowsInput, isGroup: true },
  'list-m2m': { component: RowsInput, isGroup: true },
  'list-m2a': { component: NotHere, isGroup: true },
  'presentation-divider': { component: Divider, isBare: true },
  'presentation-notice': { component: PresentationNotice, isBare: true },
}
