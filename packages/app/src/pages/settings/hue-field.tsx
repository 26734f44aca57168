import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { colourOf, contrast, DEFAULT_HUE, hueOfColour, linearOf } from '../../model/accent.ts'
import styles from './settings.module.css'

interface HueFieldProps {
  readonly colour: string
  readonly isEdited: boolean
  readonly onChange: (colour: string) => void
}

const WHITE = [1, 1, 1] as const

/** Chooses the one colour of the app. Only the hue: the lightness is fixed, so that text stays readable. */
export function HueField({ colour, isEdited, onChange }: HueFieldProps) {
  const hue = hueOfColour(colour)
  const light = contrast(linearOf(0.5, 0.085, hue), WHITE)
  const dark = contrast(linearOf(0.76, 0.1, hue), linearOf(0.2, 0.03, hue))
  return (
    <Field
      label="Accent colour"
      isWide
      isEdited={isEdited}
      aside={
        hue === DEFAULT_HUE ? undefined : (
          <Button kind="link" onClick={() => onChange(colourOf(DEFAULT_HUE))}>
            Petrol again
          </Button>
        )
      }
      note={`Contrast of text on it: ${light.toFixed(1)} in light, ${dark.toFixed(1)} in dark. At least 4.5 is needed.`}
    >
      {(control) => (
        <div className={styles['hue']}>
          <input
            {...control}
            type="range"
            min={0}
            max={359}
            value={hue}
            className={styles['range']}
            aria-valuetext={`hue ${hue} degrees`}
            onChange={(event) => onChange(colourOf(Number(event.target.value)))}
          />
          <span className={styles['sample']} data-kind="light" style={{ background: `oklch(0.5 0.085 ${hue})` }}>
            Save
          </span>
          <span
            className={styles['sample']}
            style={{ background: `oklch(0.76 0.1 ${hue})`, color: `oklch(0.2 0.03 ${hue})` }}
          >
            Save
          </span>
        </div>
      )}
    </Field>
  )
}
