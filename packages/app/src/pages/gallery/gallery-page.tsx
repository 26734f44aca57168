import { useState } from 'react'
import { chooseTheme, themes } from '../../app/theme.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Controls } from './controls.tsx'
import { Feedback } from './feedback.tsx'
import { Fields } from './fields.tsx'
import { Overlays } from './overlays.tsx'
import { Values } from './values.tsx'
import styles from './gallery.module.css'

const sections = [
  { id: 'controls', label: 'Controls', body: <Controls /> },
  { id: 'fields', label: 'Fields', body: <Fields /> },
  { id: 'values', label: 'Values', body: <Values /> },
  { id: 'feedback', label: 'Feedback', body: <Feedback /> },
  { id: 'overlays', label: 'Overlays', body: <Overlays /> },
] as const

/** Every component in every state, for those who build with them and for the pictures that watch over them. */
export function GalleryPage() {
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr')
  const [chosen, setChosen] = useState<(typeof sections)[number]['id']>('controls')
  return (
    <main className={styles['gallery']} id="work" dir={direction}>
      <header className={styles['head']}>
        <h1>Components</h1>
        <span className={styles['grow']} />
        {themes.map((theme) => (
          <Button key={theme} onClick={() => chooseTheme(theme)}>
            {`Theme: ${theme}`}
          </Button>
        ))}
        <Button
          kind="solid"
          aria-pressed={direction === 'rtl'}
          onClick={() => setDirection(direction === 'ltr' ? 'rtl' : 'ltr')}
        >
          Right to left
        </Button>
      </header>
      <Tabs
        label="Jump to"
        tabs={sections}
        chosen={chosen}
        controls="gallery-sections"
        onChoose={(id) => {
          setChosen(id)
          document.querySelector(`#gallery-${id}`)?.scrollIntoView()
        }}
      />
      <div id="gallery-sections" role="tabpanel" aria-label="Sections">
        {sections.map(({ id, label, body }) => (
          <section key={id} id={`gallery-${id}`} className={styles['section']} aria-labelledby={`gallery-${id}-title`}>
            <h2 id={`gallery-${id}-title`}>{label}</h2>
            {body}
          </section>
        ))}
      </div>
    </main>
  )
}
