import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import { coverageOf } from '../../access/escalation.ts'
import { patternProblem } from '../../access/rule-problems.ts'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { readPresets, transformModes, type PictureLimits } from '../../files/pictures/presets.ts'
import { Refusal } from '../../files/pictures/refusal.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { ruleConstants } from '../../query/values.ts'
import { failed, sent } from './sent.ts'

const isTransformMode = (value: unknown): boolean => transformModes.some((mode) => mode === value)

/** Checks of settings beyond their type. */
export const settingChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  auth_password_policy: (value) => isPattern(value),
  auth_login_attempts: (value) => typeof value === 'number' && value >= 0,
  public_registration_email_filter: (value) => isFilter(value),
  storage_asset_transform: isTransformMode,
  storage_asset_transform_public: isTransformMode,
  default_appearance: (value) => ['auto', 'light', 'dark'].includes(String(value)),
  project_color: (value) => /^#[\da-f]{3,8}$/iu.test(String(value)),
}

export const createSettingsGuard = (pictures: PictureLimits): Guard => ({
  async before(nodes, context) {
    for (const node of nodes) {
      checkPolicy(node)
      checkPresets(node, pictures)
      for (const [name, isValid] of Object.entries(settingChecks)) {
        const value = sent(node, name)
        if (value !== undefined && value !== null && !isValid(value)) throw failed(node, name, 'format')
      }
      await checkRegistration(node, context)
    }
  },
})

/** A preset that cannot work would fail every request that uses it. */
function checkPresets(node: WriteNode, limits: PictureLimits): void {
  const value = sent(node, 'storage_asset_presets')
  if (value === undefined || value === null) return
  try {
    readPresets(value, limits)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw failed(node, 'storage_asset_presets', 'format', { reason: error.message })
  }
}

/** Setting the registration role grants its permissions to everyone who registers. */
async function checkRegistration(node: WriteNode, { actor, permissionModel }: GuardContext): Promise<void> {
  if (actor.isAdmin || !node.values.has('public_registration_role')) return
  const role = sent(node, 'public_registration_role')
  if (role === undefined) throw invalidPayload('"public_registration_role" has to be the key of a role that is there')
  const current = await permissionModel()
  if (typeof role === 'string' && !coverageOf(actor, current).role(role, current)) throw forbidden()
}

function isPattern(value: unknown): boolean {
  return typeof value === 'string' && patternProblem({ _regex: value }) === null
}

/** Reports why a pattern cannot be used: one that needs backtracking looks correct. */
function checkPolicy(node: WriteNode): void {
  const reason = patternProblem({ _regex: sent(node, 'auth_password_policy') })
  if (reason !== null) throw failed(node, 'auth_password_policy', 'format', { reason })
}

function isFilter(value: unknown): boolean {
  try {
    parseFilter(value, ruleConstants, { depth: 2, jsonDepth: 2, listLength: 1000 })
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
