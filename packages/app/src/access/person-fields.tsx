import { Field } from '../ui/field.tsx'
import { Input, Select, TextArea } from '../ui/input.tsx'
import { languageChoices } from './languages.ts'
import styles from './person-fields.module.css'

/** What people tell about themselves. */
export interface Profile {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly title: string | null
  readonly location: string | null
  readonly language: string | null
  readonly description: string | null
}

export const profileNames = [
  'first_name',
  'last_name',
  'email',
  'title',
  'location',
  'language',
  'description',
] as const satisfies readonly (keyof Profile)[]

const labels: Readonly<Record<keyof Profile, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail address',
  title: 'Title',
  location: 'Location',
  language: 'Language',
  description: 'About',
}

interface PersonFieldsProps {
  readonly value: Profile
  readonly saved: Profile
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (part: Partial<Profile>) => void
  /** Why a field cannot be changed; null: it can. */
  readonly whyNot: (name: keyof Profile) => string | null
}

/** The form of a person's profile. */
export const PersonFields = ({ value, saved, errors, onChange, whyNot }: PersonFieldsProps) => (
  <div className={styles['grid']}>
    {profileNames.map((name) => (
      <Field
        key={name}
        label={labels[name]}
        isWide={name === 'description' || name === 'email'}
        isEdited={value[name] !== saved[name]}
        note={whyNot(name) ?? undefined}
        error={errors.get(name) ?? null}
      >
        {(control) => {
          const shared = { ...control, value: value[name] ?? '' }
          const set = (text: string) => onChange({ [name]: text === '' ? null : text })
          const isOff = whyNot(name) !== null
          if (name === 'description')
            return <TextArea {...shared} readOnly={isOff} onChange={(event) => set(event.target.value)} />
          if (name === 'language')
            return (
              <Select
                {...shared}
                disabled={isOff}
                choices={languageChoices(value.language, 'As the project')}
                onChange={(event) => set(event.target.value)}
              />
            )
          return (
            <Input
              {...shared}
              type={name === 'email' ? 'email' : 'text'}
              readOnly={isOff}
              onChange={(event) => set(event.target.value)}
            />
          )
        }}
      </Field>
    ))}
  </div>
)

/** The members of a profile that differ from what is saved. */
export const profileChanges = (saved: Profile, value: Profile): Partial<Profile> =>
  Object.fromEntries(profileNames.filter((name) => saved[name] !== value[name]).map((name) => [name, value[name]]))
