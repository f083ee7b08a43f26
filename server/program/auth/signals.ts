import type { Origin } from '../../platform/author.ts'
import { defineSignal } from '../../platform/events/emit-event.ts'
import type { MemberRole } from './users.ts'

/** An invitation is to be mailed; `again` is the id of the request to mail it once more. */
export const invitationRequested = defineSignal<{ invitationId: string; sendCount: number; again?: string }>(
  'invitation.requested',
)
/** A partner's invitation was mailed, or accepted by `userId`. */
export const invitationSent = defineSignal<{ partnerId: string; userId: null }>('invitation.sent')
export const invitationAccepted = defineSignal<{ partnerId: string; userId: string; from?: Origin | undefined }>(
  'invitation.accepted',
)

/** An account's owner accepted in place of another. */
export const ownerChanged = defineSignal<{ userId: string }>('account.owner-changed')

/**
 * Someone's role in an account's team or at a partner was changed or removed by another person. At a partner also:
 * someone accepted a role (`given`), or the account's owner invited a new owner (`asked`); the partner is notified.
 */
export const accessChanged = defineSignal<AccessChange>('team.access-changed')
export type AccessChange = {
  userId: string
  role: MemberRole | null
  partnerId?: string
  why?: 'given' | 'asked'
}

/** `askedAt`: the account at whose own host it was asked for. */
export const resetRequested = defineSignal<{ resetId: string; askedAt?: string }>('password.reset-requested')
/** A person whose only way in is single sign-on asked for a link. */
export const signInAsked = defineSignal<{ userId: string }>('sign-in.asked')
export const passwordChanged = defineSignal<{ userId: string }>('password.changed')
/** A factor was added, removed or reset, or the recovery codes were renewed. */
export const secondFactorChanged = defineSignal<{
  userId: string
  change: 'added' | 'removed' | 'reset' | 'codes'
  method: 'totp' | 'passkey' | null
}>('second-factor.changed')
/** A recovery code stood in for a lost factor; `left` remain. */
export const recoveryCodeUsed = defineSignal<{ userId: string; left: number }>('recovery-code.used')
export const sessionReused = defineSignal<{ sessionId: string; userId: string }>('session.reused')
