import { isRecording } from './grace.ts'
import type { BlueprintFacts, CodeOwner } from './queries.ts'

/** Returns why a visit credits no partner; undefined if it credits the owner of the code. */
export function obstacleTo(
  { live, accountDisabledAt }: Pick<BlueprintFacts, 'live' | 'accountDisabledAt'>,
  owner: CodeOwner | undefined,
  now: Date,
) {
  if (!live) return 'the blueprint is disabled'
  if (!owner) return 'the code is unknown'
  if (!owner.creditable) return 'the partner is suspended or archived'
  if (!isRecording({ disabledAt: accountDisabledAt }, now)) return 'the account is disabled'
  return undefined
}
