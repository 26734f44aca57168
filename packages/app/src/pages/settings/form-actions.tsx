import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/feedback.tsx'
import type { SavedForm } from './use-saved-form.ts'
import styles from './settings.module.css'

/** What went wrong, and the buttons below a form. */
export const FormActions = ({ form }: { readonly form: SavedForm }) => (
  <>
    {form.failure === null ? null : <Notice tone="danger">{form.failure}</Notice>}
    <div className={styles['actions']}>
      <Button kind="solid" type="submit" disabled={!form.isChanged || form.isSaving} isBusy={form.isSaving}>
        {form.isSaving ? 'Saving…' : 'Save'}
      </Button>
      {form.isChanged ? (
        <Button kind="quiet" icon="undo-2" onClick={form.discard}>
          Discard
        </Button>
      ) : null}
    </div>
  </>
)
