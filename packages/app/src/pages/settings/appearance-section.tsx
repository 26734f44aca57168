import { useState } from 'react'
import { chooseRowHeight, chosenRowHeight, rowHeightLabels, rowHeightNames } from '../../app/row-height.ts'
import { chooseTheme, chosenTheme, themes, type Theme } from '../../app/theme.ts'
import { Section } from '../../access/section.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import styles from './settings.module.css'

const words: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'As the system' }

/** How the app looks in this browser. */
export function AppearanceSection() {
  const [theme, setTheme] = useState(chosenTheme)
  const [height, setHeight] = useState(chosenRowHeight)
  return (
    <>
      <PageHead icon="sun" title="Appearance" note="in this browser" />
      <PageBody width="narrow">
        <Section title="Theme" note="Applies at once, and only in this browser.">
          <fieldset className={styles['themes']}>
            <legend className="visually-hidden">Theme</legend>
            {themes.map((each) => (
              <label key={each} className={styles['theme']}>
                <input
                  type="radio"
                  name="theme"
                  value={each}
                  checked={theme === each}
                  onChange={() => {
                    chooseTheme(each)
                    setTheme(each)
                  }}
                />
                <span className={styles['picture']} data-look={each} aria-hidden="true">
                  <i />
                  <i />
                </span>
                <span>{words[each]}</span>
              </label>
            ))}
          </fieldset>
        </Section>
        <Section title="Rows of lists" note="What a list opens with. Each view can have another height.">
          <fieldset className={styles['heights']}>
            <legend className="visually-hidden">Rows of lists</legend>
            {rowHeightNames.map((each) => (
              <label key={each} className={styles['theme']}>
                <input
                  type="radio"
                  name="rows"
                  value={each}
                  checked={height === each}
                  onChange={() => {
                    chooseRowHeight(each)
                    setHeight(each)
                  }}
                />
                <span className={styles['lines']} data-height={each} aria-hidden="true" />
                <span>{rowHeightLabels[each]}</span>
              </label>
            ))}
          </fieldset>
        </Section>
      </PageBody>
    </>
  )
}
