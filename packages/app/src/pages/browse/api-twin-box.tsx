import type { SourceQuery } from '../../grid/source.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toasts.tsx'
import { curlOf, listUrl } from './api-twin.ts'
import styles from './boxes.module.css'

/** The request behind the list, to copy. */
export function ApiTwinBox({ query }: { readonly query: SourceQuery }) {
  const url = `${location.origin}${listUrl(query)}`
  return (
    <div className={styles['twin']}>
      <h2>The request behind this list</h2>
      <Snippet label="Address" text={decoded(url)} copied={url} />
      <Snippet label="curl" text={curlOf(query, location.origin)} />
      <p>Set TOKEN to a static token of yours. Rows and fields follow your permissions.</p>
    </div>
  )
}

interface SnippetProps {
  readonly label: string
  readonly text: string
  readonly copied?: string
}

const Snippet = ({ label, text, copied = text }: SnippetProps) => (
  <section className={styles['snippet']} aria-label={label}>
    <header>
      <span>{label}</span>
      <Button
        kind="quiet"
        icon="copy"
        aria-label={`Copy as ${label}`}
        onClick={() => void navigator.clipboard.writeText(copied).then(() => toast('Copied.'))}
      >
        Copy
      </Button>
    </header>
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
  </section>
)

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
