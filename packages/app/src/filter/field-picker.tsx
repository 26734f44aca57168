import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import { useLanguage } from '../app/use-start.ts'
import { kindRows } from '../model/kind.ts'
import { Combobox, type ComboboxOption } from './combobox.tsx'
import { pathOptionsQuery, type PathOption } from './field-paths.ts'
import { lastName, pathBefore } from '../model/path.ts'

interface FieldPickerProps {
  readonly collection: string
  readonly path: string
  /** The words of the path. */
  readonly shown: string
  readonly label?: string
  readonly onChoose: (path: string) => void
  readonly onEnter?: () => void
  readonly input?: RefObject<HTMLInputElement | null>
  /** Leaves out what does not fit. */
  readonly accepts?: (option: PathOption) => boolean
}

const ALL = () => true

/** A field by typing its name; a dot or → goes on into the related row. */
export function FieldPicker(props: FieldPickerProps) {
  const { collection, path, shown, label = 'Field', onChoose, onEnter, accepts = ALL } = props
  const own = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const client = useQueryClient()
  const language = useLanguage()
  const prefix = pathBefore(typed)
  const text = typed
    .slice(prefix === '' ? 0 : prefix.length + 1)
    .trim()
    .toLowerCase()
  const { data, isPending } = useQuery(pathOptionsQuery(client, collection, prefix, language))
  const options = (data ?? [])
    .filter((option) => accepts(option) && (typed === '' || matches(option, text)))
    .map((option): ComboboxOption => ({
      id: option.path,
      label: option.label,
      hint: lastName(option.path),
      icon: kindRows[option.kind].icon,
      ...(option.leadsTo === null ? {} : { opens: `${option.path}.` }),
    }))
  return (
    <Combobox
      label={label}
      placeholder="Field"
      shown={path === '' ? '' : shown}
      options={options}
      onType={setTyped}
      onChoose={({ id }) => onChoose(id)}
      {...(onEnter === undefined ? {} : { onEnter })}
      input={props.input ?? own}
      note={isPending ? 'Loading fields…' : null}
    />
  )
}

const matches = ({ path, label }: PathOption, text: string): boolean =>
  label.toLowerCase().includes(text) || lastName(path).toLowerCase().includes(text)
