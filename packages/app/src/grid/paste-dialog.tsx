import { lazy, Suspense } from 'react'
import type { PastePlan } from './paste.ts'
import type { RowSource } from './row-source.ts'

const Preview = lazy(async () => ({ default: (await import('./paste-preview.tsx')).PastePreview }))

interface PastePreviewProps {
  readonly plan: PastePlan | null
  readonly source: RowSource
  readonly onClose: () => void
}

/** What pasting would do, before it does. */
export const PastePreview = ({ plan, source, onClose }: PastePreviewProps) =>
  plan === null ? null : (
    <Suspense fallback={null}>
      <Preview plan={plan} source={source} onClose={onClose} />
    </Suspense>
  )
