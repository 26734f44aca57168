import { useEffect, useState } from 'react'
import type { PolicyDraft } from './policy-draft.ts'
import { isSameState } from './policy-draft.ts'

interface Work {
  readonly saved: PolicyDraft
  readonly draft: PolicyDraft
}

const placeOf = (policy: string): string => `tain.policy.${policy}`

/** The draft that was left behind when the page was closed, if it still fits. */
function leftBehind(policy: string, saved: PolicyDraft): Work {
  try {
    const stored = JSON.parse(sessionStorage.getItem(placeOf(policy)) ?? 'null') as Work | null
    if (stored !== null && isSameState(stored.saved, saved)) return { saved, draft: stored.draft }
  } catch {
    sessionStorage.removeItem(placeOf(policy))
  }
  return { saved, draft: saved }
}

/** Changes to a policy that are not saved. They outlive a visit to another page. */
export function usePolicyDraft(policy: string, state: PolicyDraft) {
  const [work, setWork] = useState(() => leftBehind(policy, state))
  useEffect(() => {
    if (work.draft === work.saved) sessionStorage.removeItem(placeOf(policy))
    else sessionStorage.setItem(placeOf(policy), JSON.stringify(work))
  }, [policy, work])
  return {
    ...work,
    change: (part: Partial<PolicyDraft>) => setWork(({ saved, draft }) => ({ saved, draft: { ...draft, ...part } })),
    /** After a save, or to give the changes up. */
    restart: (saved: PolicyDraft) => setWork({ saved, draft: saved }),
    rebase: (saved: PolicyDraft, draft: PolicyDraft) => setWork({ saved, draft }),
  }
}
